import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { oppoOutcomes } from './outcomes.ts';

type Kind = VendorOutcome['kind'];

const NOW = new Date('2026-11-15T12:00:00Z');
const tokens = ['t1', 't2', 't3'];
const outcomesOf = (status: number, body: unknown, headers = {}, to: readonly string[] = tokens) =>
  oppoOutcomes({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, to, NOW);
const forAll = (outcome: VendorOutcome) => tokens.map(() => outcome);
const accepted = (id: string) => ({ kind: 'accepted', channelMessageId: id }) as const;
const item = (n: number, change: object = {}) => ({ messageId: `3-1-1-${n}`, registrationId: `t${n}`, ...change });
const ok = (...data: readonly unknown[]) => ({ code: 0, message: 'Success', data });

const codes: readonly (readonly [Kind, string])[] = [
  ['unreachable', '-1 99'],
  ['throttled', '-2 13 55 69'],
  ['stale-token', '11 29'],
  ['locked-out', '14 15 16 17 19 26 27 28 30'],
  ['quota-spent', '33 34 42'],
  ['refused', '12 18 20 21 22 23 24 25 31 40 41 51 59 67 10002 10003 10004 19999'],
  ['token-dead', '10000 10001'],
  ['accepted', '32'],
];

function expectedOf(kind: Kind, code: string, isAlone: boolean): VendorOutcome {
  if (kind === 'throttled') return { kind, retryAfterSeconds: 10, account: true };
  if (kind === 'quota-spent') return { kind, until: new Date('2026-11-15T16:00:00Z') };
  if (kind === 'accepted') return accepted('');
  if (kind === 'stale-token' && !isAlone) return { kind: 'unreachable', reason: code };
  return { kind, reason: code, ...(kind === 'token-dead' && isAlone && { suspect: true }) } as VendorOutcome;
}

describe('OPPO codes', () => {
  for (const [kind, list] of codes) {
    for (const code of list.split(' ')) {
      test(`${code}: ${kind}, for all tokens or for one`, () => {
        const expected = expectedOf(kind, code, true);
        assert.deepEqual(outcomesOf(200, { code: Number(code) }, {}, ['t1']), [expected]);
        const isRejectedToken = kind === 'token-dead';
        assert.deepEqual(
          outcomesOf(200, { code: Number(code) }),
          forAll(isRejectedToken ? { kind: 'batch-rejected' } : expected),
        );
        const mixed = ok(item(1), item(2, { errorCode: Number(code), errorMessage: 'x' }), item(3));
        assert.deepEqual(outcomesOf(200, mixed), [
          accepted('3-1-1-1'),
          expectedOf(kind, code, false),
          accepted('3-1-1-3'),
        ]);
      });
    }
  }

  test("33 lasts until midnight in Beijing by OPPO's clock", () => {
    const headers = { date: 'Sun, 15 Nov 2026 16:00:01 GMT' };
    const until = new Date('2026-11-16T16:00:00Z');
    assert.deepEqual(outcomesOf(200, { code: 33 }, headers), forAll({ kind: 'quota-spent', until }));
  });
});

describe('success', () => {
  test('has an entry for each token, in any order', () => {
    assert.deepEqual(
      outcomesOf(200, ok(item(3), item(1), item(2))),
      [1, 2, 3].map((n) => accepted(`3-1-1-${n}`)),
    );
    const snake = { message_id: 'm', registration_id: 't1', error_code: 0 };
    assert.deepEqual(outcomesOf(200, ok(snake), {}, ['t1']), [accepted('m')]);
  });

  test('is unclear for a token without an entry', () => {
    const unclear = { kind: 'unreachable', reason: '0, and the response has no entry for the token' } as const;
    assert.deepEqual(outcomesOf(200, ok(item(1))), [accepted('3-1-1-1'), unclear, unclear]);
    for (const body of [{ code: 0 }, { code: 0, data: {} }, { code: 0, data: [null, 7] }])
      assert.deepEqual(outcomesOf(200, body), forAll(unclear));
  });

  test('marks the tokens as suspect if no token is accepted', () => {
    const bad = tokens.map((_, i) => item(i + 1, { errorCode: 10_000 }));
    assert.deepEqual(outcomesOf(200, ok(...bad)), forAll({ kind: 'token-dead', reason: '10000', suspect: true }));
  });
});

test('a token from another country is rejected regardless of the response', () => {
  const refused = { kind: 'refused', reason: 'the token is not from mainland China' } as const;
  assert.deepEqual(outcomesOf(200, ok(item(1)), {}, ['IN_x', 't1']), [refused, accepted('3-1-1-1')]);
  assert.deepEqual(outcomesOf(200, { code: 40 }, {}, ['IN_x']), [refused]);
});

describe('a response without an OPPO code', () => {
  const bodies = ['', '<html>', '{"code":0', '[]', 'null', '0', '{}', '{"code":null}', '{"code":{}}'];
  for (const status of [200, 302, 400, 401, 403, 404, 408, 500, 502, 503])
    test(`with status ${status} leaves the result unclear`, () => {
      const unreachable = { kind: 'unreachable', reason: `HTTP ${status}` } as const;
      for (const body of bodies) assert.deepEqual(outcomesOf(status, body), forAll(unreachable), body);
    });

  test('means rejection for 413, and throttling for 429 or for 503 with Retry-After', () => {
    assert.deepEqual(outcomesOf(413, ''), forAll({ kind: 'refused', reason: 'HTTP 413' }));
    const throttled = (retryAfterSeconds: number) =>
      forAll({ kind: 'throttled', retryAfterSeconds, account: true } as const);
    assert.deepEqual(outcomesOf(429, ''), throttled(10));
    assert.deepEqual(outcomesOf(503, '', { 'retry-after': '17' }), throttled(17));
  });
});
