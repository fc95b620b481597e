import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import { gatedInMs, judge } from './breaker.ts';

const away: Outcome = { kind: 'unreachable', reason: 'no answer' };
const accepted: Outcome = { kind: 'accepted', channelMessageId: '' };
const dead: Outcome = { kind: 'token-dead', reason: 'gone' };
const lockedOut: Outcome = { kind: 'locked-out', reason: 'InvalidProviderToken' };
const many = (outcome: Outcome, count: number) => Array.from({ length: count }, () => outcome);

describe('a gate', () => {
  test('closes when the credentials are refused, whatever else was answered', () => {
    const verdict = judge([accepted, lockedOut, accepted], 0);
    assert.deepEqual(verdict, { gate: 'close', why: 'locked-out', reason: 'InvalidProviderToken', unreachable: 0 });
  });

  test('closes when nobody has answered twenty times in a row, in one call or in several', () => {
    assert.equal(judge(many(away, 19), 0).gate, 'leave');
    assert.equal(judge(many(away, 20), 0).gate, 'close');
    assert.deepEqual(judge([away], 19), { gate: 'close', why: 'unreachable', reason: 'no answer', unreachable: 20 });
  });

  test('opens with any clear answer, and counting begins anew', () => {
    assert.deepEqual(judge([away, dead, away], 19), { gate: 'answered', unreachable: 1 });
  });

  test('that was closed because nobody answered opens as well when tokens are called foreign; another one does not', () => {
    const foreign: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken', doubtful: true };
    assert.equal(judge([away, foreign], 0).gate, 'reached');
    assert.equal(judge([foreign, dead], 0).gate, 'answered');
  });

  test('is left as it is when nothing was asked', () => {
    assert.deepEqual(judge([], 25), { gate: 'leave', unreachable: 25 });
  });
});

describe('what is behind a closed gate', () => {
  test('is not looked at before the next probe', () => {
    assert.equal(
      gatedInMs(0, 10_000, () => 0),
      10_000,
    );
    assert.equal(
      gatedInMs(0, 10_000, () => 1),
      20_000,
    );
  });

  test('is looked at more rarely the longer it lasts, and within minutes', () => {
    assert.equal(
      gatedInMs(120_000, 10_000, () => 1),
      70_000,
    );
    assert.equal(
      gatedInMs(86_400_000, 10_000, () => 1),
      310_000,
    );
  });
});
