import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import { breakerDelayMs, judgeBreaker } from './breaker.ts';

const unreachable: Outcome = { kind: 'unreachable', reason: 'no answer' };
const accepted: Outcome = { kind: 'accepted', channelMessageId: '' };
const dead: Outcome = { kind: 'token-dead', reason: 'gone' };
const lockedOut: Outcome = { kind: 'locked-out', reason: 'InvalidProviderToken' };
const repeatOutcome = (outcome: Outcome, count: number) => Array.from({ length: count }, () => outcome);

describe('a circuit breaker', () => {
  test('trips if the credentials are rejected, regardless of other outcomes', () => {
    const verdict = judgeBreaker([accepted, lockedOut, accepted], 0);
    assert.deepEqual(verdict, {
      action: 'trip',
      cause: 'locked-out',
      reason: 'InvalidProviderToken',
      suspect: false,
      unreachableCount: 0,
    });
    const suspect = judgeBreaker([{ ...lockedOut, suspect: true }], 0);
    assert.equal(suspect.action === 'trip' && suspect.suspect, true);
  });

  test('trips after twenty unreachable outcomes in a row, in one call or several', () => {
    assert.equal(judgeBreaker(repeatOutcome(unreachable, 19), 0).action, 'keep');
    assert.equal(judgeBreaker(repeatOutcome(unreachable, 20), 0).action, 'trip');
    assert.deepEqual(judgeBreaker([unreachable], 19), {
      action: 'trip',
      cause: 'unreachable',
      reason: 'no answer',
      suspect: false,
      unreachableCount: 20,
    });
  });

  test('resets after any clear response, and counting starts again', () => {
    assert.deepEqual(judgeBreaker([unreachable, dead, unreachable], 19), { action: 'answered', unreachableCount: 1 });
  });

  test('distinguishes suspect tokens, which do not reset a breaker that tripped because of them', () => {
    const foreign: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken', suspect: true };
    assert.equal(judgeBreaker([unreachable, foreign], 0).action, 'reached');
    assert.equal(judgeBreaker([foreign, dead], 0).action, 'answered');
  });

  test('does not trip if the vendor responds and fails only for some devices', () => {
    const failed: Outcome = { ...unreachable, device: true };
    assert.deepEqual(judgeBreaker(repeatOutcome(failed, 25), 19), { action: 'reached', unreachableCount: 0 });
  });

  test('does not change without outcomes', () => {
    assert.deepEqual(judgeBreaker([], 25), { action: 'keep', unreachableCount: 25 });
  });
});

describe('retry of slices while the circuit breaker is tripped', () => {
  test('is not before the next probe', () => {
    assert.equal(
      breakerDelayMs(0, 10_000, () => 0),
      10_000,
    );
    assert.equal(
      breakerDelayMs(0, 10_000, () => 1),
      20_000,
    );
  });

  test('is delayed more the longer the breaker stays tripped, up to about five minutes', () => {
    assert.equal(
      breakerDelayMs(120_000, 10_000, () => 1),
      70_000,
    );
    assert.equal(
      breakerDelayMs(86_400_000, 10_000, () => 1),
      310_000,
    );
  });
});
