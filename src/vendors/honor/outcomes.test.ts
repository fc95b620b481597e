import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { honorOutcomes } from './outcomes.ts';

type Kind = VendorOutcome['kind'];

const tokens = ['t1', 't2', 't3'];
const requestId = 'c7a1d2f0-0000-4000-8000-00000000000a';
const outcomesOf = (status: number, body: unknown, headers = {}) =>
  honorOutcomes({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, tokens);

const accepted = { kind: 'accepted', channelMessageId: requestId } as const;
const forAll = (outcome: VendorOutcome) => tokens.map(() => outcome);
const success = { sendResult: true, requestId, failTokens: [], expireTokens: [] };

describe('success', () => {
  test('is code 200 or 80000000, as a number or a string, for all tokens', () => {
    for (const code of [200, '200', 80_000_000, '80000000'])
      assert.deepEqual(outcomesOf(200, { code, message: 'success', data: success }), forAll(accepted));
  });

  test('needs neither sendResult nor requestId', () => {
    const nameless = { kind: 'accepted', channelMessageId: '' } as const;
    for (const data of [undefined, null, {}]) assert.deepEqual(outcomesOf(200, { code: 200, data }), forAll(nameless));
  });

  test('is not assumed if sendResult is false', () => {
    const data = { ...success, sendResult: false };
    assert.deepEqual(outcomesOf(200, { code: 200, data }), forAll({ kind: 'unreachable', reason: '200' }));
  });
});

describe('listed tokens', () => {
  test('are dead if expired and retried if failed, and tokens that are not listed are accepted', () => {
    for (const code of [200, '80000000', 80_100_000]) {
      const data = { ...success, expireTokens: ['t1', 'of another app'], failTokens: ['t3'] };
      assert.deepEqual(outcomesOf(200, { code, data }), [
        { kind: 'token-dead', reason: 'expireTokens' },
        accepted,
        { kind: 'unreachable', reason: `failTokens, ${code}`, device: true },
      ]);
    }
  });

  test('are suspect if no token was accepted, because they may belong to another app', () => {
    const data = { ...success, sendResult: false, expireTokens: ['t1', 't2'] };
    const suspect = { kind: 'token-dead', reason: 'expireTokens', suspect: true } as const;
    assert.deepEqual(outcomesOf(200, { code: 200, data }), [suspect, suspect, { kind: 'unreachable', reason: '200' }]);
  });

  test('are ignored if the lists cannot be read', () => {
    for (const odd of [null, 't1', { t1: true }, 7])
      assert.deepEqual(
        outcomesOf(200, { code: 200, data: { ...success, expireTokens: odd, failTokens: odd } }),
        forAll(accepted),
      );
    const unclear = { kind: 'unreachable', reason: '80100000' } as const;
    assert.deepEqual(outcomesOf(200, { code: 80_100_000, data: success }), forAll(unclear));
    assert.deepEqual(outcomesOf(400, { code: 80_100_000, data: null }), forAll(unclear));
  });
});

describe('the first rule that matches a status or a code', () => {
  /** HTTP status, code, expected kind. */
  const rows: readonly (readonly [number, number | undefined, Kind])[] = [
    [401, undefined, 'stale-token'],
    [200, 401, 'stale-token'],
    [200, 80_200_001, 'stale-token'],
    [400, 80_200_003, 'stale-token'],
    [500, 80_200_003, 'stale-token'],
    [403, undefined, 'locked-out'],
    [200, 403, 'locked-out'],
    [400, 80_300_002, 'locked-out'],
    [404, undefined, 'locked-out'],
    [404, 80_300_007, 'locked-out'],
    [429, undefined, 'throttled'],
    [503, 81_000_001, 'throttled'],
    [200, 429, 'throttled'],
    [200, 503, 'throttled'],
    [500, undefined, 'unreachable'],
    [502, 80_300_007, 'unreachable'],
    [200, 500, 'unreachable'],
    [400, 80_600_003, 'unreachable'],
    [400, 81_000_001, 'unreachable'],
    [400, 80_300_007, 'token-dead'],
    [200, 80_300_007, 'token-dead'],
    [400, undefined, 'refused'],
    [200, 400, 'refused'],
    [200, 80_100_003, 'refused'],
    [200, 80_300_008, 'refused'],
    [200, 80_300_010, 'refused'],
    [200, 89_999_999, 'unreachable'],
    [200, 80_309_999, 'unreachable'],
    [200, 404, 'unreachable'],
    [200, undefined, 'unreachable'],
    [302, undefined, 'unreachable'],
    [418, undefined, 'unreachable'],
  ];
  for (const [status, code, kind] of rows)
    test(`${status} ${code ?? '(no code)'}: ${kind}`, () => {
      const expected =
        kind === 'throttled'
          ? { kind, retryAfterSeconds: 5, account: true }
          : { kind, reason: `${code ?? `HTTP ${status}`}`, ...(kind === 'token-dead' && { suspect: true }) };
      const bodies =
        code === undefined ? ['', '<html>', '{"code":200', '[]', 'null', '{}'] : [{ code }, { code: `${code}` }];
      for (const body of bodies) assert.deepEqual(outcomesOf(status, body), forAll(expected as VendorOutcome));
    });

  test('throttles for the time in Retry-After', () => {
    const throttled = { kind: 'throttled', retryAfterSeconds: 17, account: true } as const;
    assert.deepEqual(outcomesOf(429, '', { 'retry-after': '17' }), forAll(throttled));
  });
});
