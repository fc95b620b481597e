import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import { evaluateSuspectTokens, SUSPECT_TOKENS_MAX } from './suspect-tokens.ts';

const suspect: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken', suspect: true };
const dead: Outcome = { kind: 'token-dead', reason: 'Unregistered' };
const accepted: Outcome = { kind: 'accepted', channelMessageId: '' };
const times = (count: number, outcome: Outcome) => new Array<Outcome>(count).fill(outcome);

describe('tokens that a vendor calls foreign', () => {
  test('are believed when it accepts others at the same time, however many there are', () => {
    const outcomes = [...times(500, suspect), accepted];
    assert.deepEqual(evaluateSuspectTokens(outcomes, 19), { outcomes, isConfirmed: true, suspectCount: 0 });
  });

  test('are not believed yet while there are few of them', () => {
    const outcomes = times(SUSPECT_TOKENS_MAX - 1, suspect);
    assert.deepEqual(evaluateSuspectTokens(outcomes, 0), {
      outcomes,
      isConfirmed: false,
      suspectCount: SUSPECT_TOKENS_MAX - 1,
    });
  });

  test('are our mistake when there are many in a row, over several rounds too', () => {
    for (const [before, now] of [
      [0, SUSPECT_TOKENS_MAX],
      [SUSPECT_TOKENS_MAX - 1, 1],
      [SUSPECT_TOKENS_MAX, 1],
    ] as const) {
      const { outcomes, isConfirmed, suspectCount: after } = evaluateSuspectTokens(times(now, suspect), before);
      assert.deepEqual([isConfirmed, after], [false, SUSPECT_TOKENS_MAX]);
      for (const outcome of outcomes) {
        assert.equal(outcome.kind, 'locked-out');
        assert.match('reason' in outcome ? outcome.reason : '', /BadDeviceToken.*app_id, package and environment/);
      }
    }
  });
});

test('tokens that are dead for certain are left alone, and others are not made doubtful by them', () => {
  const outcomes = [...times(SUSPECT_TOKENS_MAX, dead), suspect, { kind: 'unreachable', reason: 'x' } as const];
  assert.deepEqual(evaluateSuspectTokens(outcomes, 0), { outcomes, isConfirmed: false, suspectCount: 1 });
  const manySuspects = evaluateSuspectTokens([...times(SUSPECT_TOKENS_MAX, suspect), dead], 0).outcomes;
  assert.deepEqual(manySuspects.at(-1), dead);
});
