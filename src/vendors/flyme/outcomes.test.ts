import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { flymeOutcomes } from './outcomes.ts';

const tokens = ['t1', 't2', 't3'];
/** 18:00 in Beijing. */
const date = 'Sun, 15 Nov 2026 10:00:00 GMT';
const midnight = new Date('2026-11-15T16:00:00Z');
const msgId = 'NS20190313171303747_0_11579902_1_3';
const outcomesOf = (status: number, body: unknown, headers: object = { date }, to: readonly string[] = tokens) =>
  flymeOutcomes(
    {
      status,
      headers: headers as Record<string, unknown>,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    to,
  );
const forAll = (outcome: VendorOutcome) => tokens.map(() => outcome);
const accepted = { kind: 'accepted', channelMessageId: msgId } as const;

describe('Meizu codes for a whole request', () => {
  const codes: readonly (readonly [VendorOutcome['kind'], string])[] = [
    ['locked-out', '1006 110000 110001 110009 110031 110033'],
    ['refused', '1005 110004 110032 110053'],
    ['unreachable', '300 500 1001 1003 119999'],
    ['throttled', '110010'],
    ['quota-spent', '110019 110051'],
  ];
  for (const [kind, names] of codes) {
    for (const code of names.split(' ')) {
      test(`${code}: ${kind}`, () => {
        const reasoned = { kind, reason: code } as VendorOutcome;
        const expected =
          kind === 'throttled'
            ? ({ kind, retryAfterSeconds: 5, account: true } as const)
            : kind === 'quota-spent'
              ? ({ kind, until: midnight } as const)
              : reasoned;
        assert.deepEqual(outcomesOf(200, { code, message: 'x', value: '', redirect: '' }), forAll(expected));
        assert.deepEqual(outcomesOf(200, { code: Number(code), message: 'x' }), forAll(expected));
      });
    }
  }

  for (const code of ['110002', '110003'])
    test(`${code}: rejects the batch, or the token if it is the only one`, () => {
      const body = { code, message: 'x', value: '' };
      assert.deepEqual(outcomesOf(200, body), forAll({ kind: 'batch-rejected' }));
      const dead = { kind: 'token-dead', reason: code, suspect: true } as const;
      assert.deepEqual(outcomesOf(200, body, {}, ['t1']), [dead]);
      // A response from a proxy does not show that Meizu sent nothing.
      assert.deepEqual(outcomesOf(502, body), forAll(dead));
    });
});

describe('success', () => {
  test('applies to all tokens for every kind of empty list', () => {
    for (const value of [{}, '', null, undefined, []])
      assert.deepEqual(outcomesOf(200, { code: '200', message: '', value, msgId }), forAll(accepted));
  });

  const states: readonly (readonly [string, VendorOutcome])[] = [
    ['110002', { kind: 'token-dead', reason: '110002' }],
    ['110003', { kind: 'token-dead', reason: '110003', suspect: true }],
    ['110005', { kind: 'refused', reason: '110005' }],
    ['110010', { kind: 'refused', reason: '110010' }],
    ['110011', { kind: 'quota-spent', until: midnight, device: true }],
    ['201', { kind: 'refused', reason: '201' }],
    ['501', { kind: 'unreachable', reason: '501', device: true }],
    ['513', { kind: 'unreachable', reason: '513', device: true }],
    ['518', { kind: 'throttled', retryAfterSeconds: 5, account: true }],
    ['519', { kind: 'throttled', retryAfterSeconds: 60 }],
    ['520', { kind: 'throttled', retryAfterSeconds: 60 }],
    ['119999', { kind: 'unreachable', reason: '119999', device: true }],
  ];
  for (const [code, expected] of states)
    test(`accepts the tokens that are not listed: ${code} is ${expected.kind}`, () => {
      const value = { [code]: ['t2', 'of another app'], 110002: code === '110002' ? ['t2'] : [] };
      assert.deepEqual(outcomesOf(200, { code: '200', value, msgId }), [accepted, expected, accepted]);
    });

  test('marks the tokens as suspect if all of them are listed', () => {
    const suspect = { kind: 'token-dead', reason: '110002', suspect: true } as const;
    assert.deepEqual(outcomesOf(200, { code: '200', value: { 110002: tokens }, msgId }), forAll(suspect));
  });

  test('reads the lists of several codes and ignores values that are not lists', () => {
    const value = { 110002: ['t1'], 110010: ['t3'], 501: 't2', constructor: ['t9'] };
    assert.deepEqual(
      outcomesOf(200, { code: '200', value, msgId }).map(({ kind }) => kind),
      ['token-dead', 'accepted', 'refused'],
    );
  });
});

describe('HTTP status of responses without a Meizu code', () => {
  const statuses: readonly (readonly [number, VendorOutcome['kind']])[] = [
    [200, 'unreachable'],
    [302, 'unreachable'],
    [400, 'refused'],
    [401, 'locked-out'],
    [403, 'locked-out'],
    [404, 'locked-out'],
    [408, 'unreachable'],
    [500, 'unreachable'],
    [502, 'unreachable'],
  ];
  const bodies = ['', '<html>', '{"code":"200"', '[]', 'null', '{}', '{"code":null}', '{"code":{}}'];
  for (const [status, kind] of statuses)
    test(`${status}: ${kind}`, () => {
      for (const body of bodies)
        assert.deepEqual(outcomesOf(status, body), forAll({ kind, reason: `HTTP ${status}` } as VendorOutcome), body);
    });

  test('429 and 503 pause the whole account for Retry-After', () => {
    for (const status of [429, 503])
      assert.deepEqual(
        outcomesOf(status, '', { 'retry-after': '30' }),
        forAll({ kind: 'throttled', retryAfterSeconds: 30, account: true }),
      );
  });
});
