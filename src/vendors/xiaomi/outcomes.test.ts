import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { xiaomiOutcomes } from './outcomes.ts';

type Kind = VendorOutcome['kind'];

const NOW = new Date('2026-11-15T12:00:00Z');
const MIDNIGHT = new Date('2026-11-15T16:00:00Z');
const tokens = ['t1', 't2', 't3'];
const id = 'scm527795524699919378t';
const outcomesOf = (status: number, body: unknown, headers = {}, to: readonly string[] = tokens) =>
  xiaomiOutcomes({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, to, NOW);
const error = (code: unknown, reason = 'x') => ({ result: 'error', reason, trace_id: 'X1', code, description: 'x' });
const forAll = (outcome: VendorOutcome) => tokens.map(() => outcome);
const accepted = { kind: 'accepted', channelMessageId: id } as const;

const codes: readonly (readonly [Kind, string])[] = [
  ['unreachable', '-1 1 10001 10002 10003 10009 10010 10011 10037 20607 22102 26003 65003 65029 20301 99999'],
  ['throttled', '10022 10023 10024 10027 10028 22101 26004 26005 200002 10030 10032 10039'],
  ['quota-spent', '10034 200001'],
  ['locked-out', '21301 21302 10004 10005 10006 10014 10026 10031 10033 10036 10038 21303'],
  ['locked-out', '22000 22001 22002 22003 22004 22005 22006 22007 22008 22022 66109'],
  ['refused', '27001 26006 10007 10008 10012 10016 10017 10018 10020 10021 10041 21305 10025 65036 65037 65038'],
  ['refused', '65009 65011 65014 65015 20209 20215 20216 20315 65006 65007 65008 65010 65012 65013 65016 65017'],
  ['refused', '65028 65030 65035 65040 65041 65042 66006 66008 66108 70011 70012 22100 22103 100'],
  ['refused', '66300 66301 66302 66303 66304 66305 66306 66307 66308'],
  ['batch-rejected', '66007 10029'],
];

function expectedOf(kind: Kind, code: string): VendorOutcome {
  if (kind === 'throttled') return { kind, retryAfterSeconds: 5, account: true };
  if (kind === 'quota-spent') return { kind, until: MIDNIGHT };
  return (kind === 'batch-rejected' ? { kind } : { kind, reason: code }) as VendorOutcome;
}

describe('Xiaomi codes for a whole request', () => {
  for (const [kind, list] of codes) {
    for (const code of list.split(' ')) {
      test(`${code}: ${kind}`, () => {
        assert.deepEqual(outcomesOf(200, error(Number(code))), forAll(expectedOf(kind, code)));
        assert.deepEqual(outcomesOf(200, error(code)), forAll(expectedOf(kind, code)));
      });
    }
  }

  test('depend in some cases on the reason or on the number of tokens', () => {
    const dead = (reason: string) => ({ kind: 'token-dead', reason, suspect: true }) as const;
    assert.deepEqual(outcomesOf(200, error(20301, 'No valid targets!')), forAll(dead('20301')));
    for (const code of ['66007', '10029']) {
      assert.deepEqual(outcomesOf(200, error(code), {}, ['t1']), [dead(code)]);
      // A response from a proxy does not show that Xiaomi sent nothing.
      assert.deepEqual(outcomesOf(502, error(code)), forAll(dead(code)));
    }
  });
});

describe('success', () => {
  const ok = (data: unknown) => ({ result: 'ok', trace_id: 'X1', code: 0, data, description: '成功' });

  test('applies to all tokens, with the message id', () => {
    assert.deepEqual(outcomesOf(200, ok({ id, day_quota: '5' })), forAll(accepted));
    assert.deepEqual(outcomesOf(200, ok(undefined)), forAll({ kind: 'accepted', channelMessageId: '' }));
  });

  test('accepts the tokens that are not listed as bad', () => {
    assert.deepEqual(outcomesOf(200, ok({ id, bad_regids: 't2,of another app' })), [
      accepted,
      { kind: 'token-dead', reason: 'bad_regids' },
      accepted,
    ]);
  });

  test('marks the tokens as suspect if all of them are listed as bad', () => {
    const suspect = { kind: 'token-dead', reason: 'bad_regids', suspect: true } as const;
    assert.deepEqual(outcomesOf(200, ok({ id, bad_regids: tokens.join(',') })), forAll(suspect));
  });

  test('requires status 200', () => {
    assert.deepEqual(outcomesOf(500, ok({ id })), forAll({ kind: 'unreachable', reason: '0' }));
  });
});

describe('an exhausted quota', () => {
  test("lasts until midnight in Beijing by Xiaomi's clock", () => {
    const headers = { date: 'Sun, 15 Nov 2026 16:00:01 GMT' };
    const until = new Date('2026-11-16T16:00:00Z');
    assert.deepEqual(outcomesOf(200, error(200001), headers), forAll({ kind: 'quota-spent', until }));
  });
});

describe('HTTP status of responses without a Xiaomi code', () => {
  const statuses: readonly (readonly [number, Kind])[] = [
    [200, 'unreachable'],
    [302, 'unreachable'],
    [400, 'refused'],
    [401, 'locked-out'],
    [403, 'locked-out'],
    [404, 'refused'],
    [408, 'unreachable'],
    [413, 'refused'],
    [500, 'unreachable'],
    [502, 'unreachable'],
    [503, 'unreachable'],
  ];
  const bodies = ['', '<html>', '{"code":0', '[]', 'null', '0', '{}', '{"code":null}', '{"code":{}}'];
  for (const [status, kind] of statuses)
    test(`${status}: ${kind}`, () => {
      for (const body of bodies)
        assert.deepEqual(outcomesOf(status, body), forAll({ kind, reason: `HTTP ${status}` } as VendorOutcome), body);
    });

  test('429, or 503 with Retry-After, throttles the account', () => {
    const throttled = (retryAfterSeconds: number) =>
      forAll({ kind: 'throttled', retryAfterSeconds, account: true } as const);
    assert.deepEqual(outcomesOf(429, ''), throttled(5));
    assert.deepEqual(outcomesOf(503, '', { 'retry-after': '17' }), throttled(17));
  });
});
