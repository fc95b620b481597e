import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AccessTokens } from './access-tokens.ts';
import { Faults, parseFault } from './faults.ts';
import { RateLimit } from './rate-limit.ts';
import { batchOutcomeOf, outcomeOfToken } from './token-outcomes.ts';

test('a rate limit grants an amount completely or not at all, separately per key, and resets with each window', () => {
  const allowance = new RateLimit(3, 1000);
  assert.equal(allowance.take('a', 2, 5000), true);
  assert.equal(allowance.take('a', 2, 5100), false);
  assert.equal(allowance.take('a', 1, 5200), true);
  assert.equal(allowance.take('b', 3, 5300), true);
  assert.equal(allowance.take('a', 1, 5999), false);
  assert.equal(allowance.take('a', 3, 6000), true);
});

test('an access token is valid until it expires, and other tokens are unknown', () => {
  const tokens = new AccessTokens(10);
  const { token, lifeSeconds } = tokens.issue('app', 1000);
  assert.equal(lifeSeconds, 10);
  assert.deepEqual(tokens.check(token, 10_999), { kind: 'known', owner: 'app' });
  assert.deepEqual(tokens.check(token, 11_000), { kind: 'expired' });
  assert.deepEqual(tokens.check('another', 1000), { kind: 'unknown' });
  const young = tokens.issue('app', 1000).token;
  tokens.expireAll();
  assert.deepEqual(tokens.check(young, 1000), { kind: 'expired' });
});

test('a fault starts after the given number of requests, not counting requests that another fault affects', () => {
  const kinds = ['throttle', 'quota'] as const;
  const faults = new Faults(kinds);
  const add = (call: object) => faults.add(parseFault(call, kinds, () => 'send', 0));
  add({ kind: 'throttle', requests: 1 });
  add({ kind: 'quota', requests: 2, after_requests: 2 });
  const met = (endpoint: string) => faults.take(endpoint, 0)?.kind;
  assert.equal(met('token'), undefined);
  assert.deepEqual(
    Array.from({ length: 6 }, () => met('send')),
    ['throttle', undefined, undefined, 'quota', 'quota', undefined],
  );
});

describe('token name', () => {
  const names = [
    ['live-1', 'live'],
    ['dead-1', 'dead'],
    ['busy-', 'busy'],
    ['down-1', 'down'],
    ['slow-1', 'slow'],
    ['half-1', 'half'],
    ['fail-1', 'fail'],
    ['deadly', 'live'],
    ['xdead-1', 'live'],
    ['nobody', 'dead'],
    ['nobody-else', 'live'],
    ['0'.repeat(64), 'dead'],
    ['0'.repeat(63), 'live'],
  ] as const;
  for (const [token, outcome] of names) {
    test(`${token} is ${outcome}`, () => assert.equal(outcomeOfToken(token), outcome));
  }

  test('determines the outcome of a batch, in the order of its tokens', () => {
    assert.deepEqual(batchOutcomeOf(['live-1', 'dead-2', 'fail-1', 'slow-1', 'dead-1', 'half-1']), {
      wholeRequest: undefined,
      isLate: true,
      isCut: true,
      dead: ['dead-2', 'dead-1'],
      failing: ['fail-1'],
      reached: ['live-1', 'slow-1', 'half-1'],
    });
    assert.equal(batchOutcomeOf(['down-1', 'busy-1']).wholeRequest, 'busy');
  });
});
