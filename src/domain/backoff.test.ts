import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { backoffMs, retryInMs } from './backoff.ts';

/** The largest number below one, which is the maximum of Math.random. */
const ALMOST_ONE = 1 - 2 ** -53;

describe('backoff before the next attempt', () => {
  const longest: readonly (readonly [attempts: number, ms: number])[] = [
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [5, 32_000],
    [8, 256_000],
    [9, 300_000],
    [10, 300_000],
    [1_000, 300_000],
    [Number.MAX_SAFE_INTEGER, 300_000],
  ];
  for (const [attempts, ms] of longest)
    test(`is at most ${ms} ms after ${attempts} attempts`, () =>
      assert.equal(
        backoffMs(attempts, () => ALMOST_ONE),
        ms,
      ));

  test('is spread evenly between zero and the maximum (full jitter)', () => {
    for (const [attempts, ms] of longest) {
      assert.equal(
        backoffMs(attempts, () => 0),
        0,
      );
      assert.equal(
        backoffMs(attempts, () => 0.5),
        ms / 2,
      );
    }
  });

  test('is a whole number of milliseconds and at most five minutes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: ALMOST_ONE, noNaN: true }), (attempts, random) => {
        const ms = backoffMs(attempts, () => random);
        assert.ok(Number.isInteger(ms) && ms >= 0 && ms <= 300_000, String(ms));
      }),
    );
  });
});

describe('retry of a slice', () => {
  const least = () => 0;

  test('waits for the longest time that the vendor requested', () => {
    const outcomes = [3, 9, 5].map((retryAfterSeconds) => ({ kind: 'throttled', retryAfterSeconds }) as const);
    assert.equal(retryInMs(1, outcomes, 60_000, least), 9_000);
  });

  test('uses the backoff if the vendor requested no time', () => {
    assert.equal(
      retryInMs(0, [{ kind: 'unreachable', reason: 'away' }], 60_000, () => 0.5),
      500,
    );
  });

  test('ignores places that can only be retried after the expiry, if others can be retried before it', () => {
    const half = () => 0.5;
    const late = { kind: 'throttled', retryAfterSeconds: 60 } as const;
    const away = { kind: 'unreachable', reason: 'away' } as const;
    assert.equal(retryInMs(1, [late, away], 30_000, half), 1_000);
    assert.equal(retryInMs(1, [late, 'breaker-open'], 30_000, half), 1_000);
    assert.equal(retryInMs(1, [late, { kind: 'throttled', retryAfterSeconds: 9 }], 30_000, half), 9_000);
    assert.equal(retryInMs(1, [late, away], 90_000, half), 60_000);
    assert.equal(retryInMs(1, [late, { kind: 'accepted', channelMessageId: '' }], 30_000, half), 30_000);
  });

  test('is not later than the expiry', () => {
    assert.equal(retryInMs(0, [{ kind: 'throttled', retryAfterSeconds: 60 }], 1_000, least), 1_000);
    assert.equal(retryInMs(0, [{ kind: 'throttled', retryAfterSeconds: 60 }], -5, least), 0);
  });
});
