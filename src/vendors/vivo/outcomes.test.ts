import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { vivoOutcomes, vivoPreparedId } from './outcomes.ts';

const tokens = ['t1', 't2', 't3'];
/** 18:00 in Beijing. */
const date = 'Sun, 15 Nov 2026 10:00:00 GMT';
const taskId = '342982232646905856';
const replyOf = (status: number, body: unknown, headers: object = { date }) => ({
  status,
  headers: headers as Record<string, unknown>,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const outcomesOf = (...reply: Parameters<typeof replyOf>) => vivoOutcomes(replyOf(...reply), tokens, taskId);
const forAll = (outcome: VendorOutcome) => tokens.map(() => outcome);
const midnight = new Date('2026-11-15T16:00:00Z');
const morning = new Date('2026-11-15T23:00:00Z');

/** Expected kinds and their codes. */
const codes: readonly (readonly [VendorOutcome['kind'], string])[] = [
  ['stale-token', '10000'],
  ['locked-out', '10043 10045 10094 10200 10201 10202 10203 10204 10205 10206 10207'],
  ['refused', '10050 10051 10054 10055 10056 10057 10058 10059 10060 10065 10067 10082 10095 10096 10097'],
  ['refused', '10103 10104 10150 10151 10152 10153 10304 10305 10306 10311 10352 10353 10800 10801'],
  ['token-dead', '10302'],
  ['throttled', '10072 10093'],
  ['unreachable', '10040 10155 10999'],
];

describe('vivo codes for a list of tokens and for saving a message', () => {
  for (const [kind, names] of codes) {
    for (const code of names.split(' ')) {
      test(`${code}: ${kind}`, () => {
        const expected: VendorOutcome =
          kind === 'throttled'
            ? { kind, retryAfterSeconds: 1, account: true }
            : ({ kind, reason: code, ...(kind === 'token-dead' && { suspect: true }) } as VendorOutcome);
        for (const result of [Number(code), code]) {
          assert.deepEqual(outcomesOf(200, { result, desc: 'x' }), forAll(expected));
          assert.deepEqual(vivoPreparedId(replyOf(200, { result, desc: 'x' })), expected);
        }
      });
    }
  }
});

describe('an exhausted quota', () => {
  for (const result of [10_070, 10_073, 10_252, 10_254])
    test(`${result} lasts until midnight in Beijing and is not treated as throttling`, () => {
      const expected = { kind: 'quota-spent', until: midnight } as const;
      assert.deepEqual(outcomesOf(200, { result }), forAll(expected));
      assert.deepEqual(outcomesOf(200, { result }, { date, 'retry-after': '7' }), forAll(expected));
      assert.deepEqual(vivoPreparedId(replyOf(200, { result })), expected);
    });

  test('10071 lasts until 07:00 in Beijing', () => {
    assert.deepEqual(outcomesOf(200, { result: 10_071 }), forAll({ kind: 'quota-spent', until: morning }));
    const early = { date: 'Sun, 15 Nov 2026 22:59:59 GMT' };
    assert.deepEqual(outcomesOf(200, { result: 10_071 }, early), forAll({ kind: 'quota-spent', until: morning }));
  });

  test('is measured by the local clock if the response has no date', () => {
    const [outcome] = outcomesOf(200, { result: 10_070 }, {});
    assert.ok(outcome?.kind === 'quota-spent');
    const remainingMs = outcome.until.getTime() - Date.now();
    assert.ok(remainingMs > 0 && remainingMs <= 24 * 3_600_000);
  });
});

describe('success', () => {
  test('for one token has the task ID with all its digits', () => {
    for (const id of [`"${taskId}"`, taskId])
      assert.deepEqual(vivoOutcomes(replyOf(200, `{"result":0,"desc":"x","taskId":${id}}`), ['t1'], undefined), [
        { kind: 'accepted', channelMessageId: taskId },
      ]);
  });

  test('for a list has the ID of the saved task', () => {
    assert.deepEqual(
      outcomesOf(200, { result: 0, requestId: 'r' }),
      forAll({ kind: 'accepted', channelMessageId: taskId }),
    );
    for (const id of [`"${taskId}"`, taskId])
      assert.equal(vivoPreparedId(replyOf(200, `{"result":0,"taskId":${id}}`)), taskId);
    assert.deepEqual(vivoPreparedId(replyOf(200, { result: 0 })), {
      kind: 'unreachable',
      reason: 'the saved message has no taskId',
    });
  });

  const states: readonly (readonly [number, VendorOutcome])[] = [
    [1, { kind: 'token-dead', reason: '10302 status 1', suspect: true }],
    [2, { kind: 'token-dead', reason: '10302 status 2' }],
    [4, { kind: 'refused', reason: '10302 status 4' }],
    [7, { kind: 'refused', reason: '10302 status 7' }],
    [9, { kind: 'refused', reason: '10302 status 9' }],
  ];
  for (const [status, expected] of states)
    test(`accepts the tokens that are not listed as invalid: status ${status}`, () => {
      const accepted = { kind: 'accepted', channelMessageId: taskId } as const;
      const invalidUsers = [{ status, userid: 't2' }, { status: 1, userid: 'another' }, null, { status: 1 }];
      assert.deepEqual(outcomesOf(200, { result: 0, invalidUsers }), [accepted, expected, accepted]);
      const body = { result: 10_302, desc: 'x', invalidUser: { status, userid: 't1' } };
      assert.deepEqual(vivoOutcomes(replyOf(200, body), ['t1'], undefined), [expected]);
    });
});

describe('HTTP status of responses without a vivo code', () => {
  const statuses: readonly (readonly [number, VendorOutcome['kind']])[] = [
    [200, 'unreachable'],
    [302, 'unreachable'],
    [400, 'refused'],
    [401, 'stale-token'],
    [403, 'locked-out'],
    [404, 'locked-out'],
    [408, 'unreachable'],
    [500, 'unreachable'],
    [502, 'unreachable'],
  ];
  const bodies = ['', 'Internal Server Error', '<html>', '{"result":0', '[]', 'null', '{}', '{"result":null}'];
  for (const [status, kind] of statuses)
    test(`${status}: ${kind}`, () => {
      for (const body of bodies)
        assert.deepEqual(outcomesOf(status, body), forAll({ kind, reason: `HTTP ${status}` } as VendorOutcome), body);
    });

  test('429 and 503 pause the whole account for Retry-After', () => {
    for (const status of [429, 503]) {
      assert.deepEqual(outcomesOf(status, ''), forAll({ kind: 'throttled', retryAfterSeconds: 1, account: true }));
      const outcomes = outcomesOf(status, '', { 'retry-after': '30' });
      assert.deepEqual(outcomes, forAll({ kind: 'throttled', retryAfterSeconds: 30, account: true }));
    }
  });
});
