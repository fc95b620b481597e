import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import { DOUBTFUL_MAX, weigh } from './suspect-tokens.ts';

const doubtful: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken', doubtful: true };
const dead: Outcome = { kind: 'token-dead', reason: 'Unregistered' };
const accepted: Outcome = { kind: 'accepted', channelMessageId: '' };
const times = (n: number, outcome: Outcome) => new Array<Outcome>(n).fill(outcome);

describe('tokens that a vendor calls foreign', () => {
  test('are believed when it accepts others at the same time, however many there are', () => {
    const outcomes = [...times(500, doubtful), accepted];
    assert.deepEqual(weigh(outcomes, 19), { outcomes, isBelieved: true, doubtful: 0 });
  });

  test('are not believed yet while there are few of them', () => {
    const outcomes = times(DOUBTFUL_MAX - 1, doubtful);
    assert.deepEqual(weigh(outcomes, 0), { outcomes, isBelieved: false, doubtful: DOUBTFUL_MAX - 1 });
  });

  test('are our mistake when there are many in a row, over several rounds too', () => {
    for (const [before, now] of [
      [0, DOUBTFUL_MAX],
      [DOUBTFUL_MAX - 1, 1],
      [DOUBTFUL_MAX, 1],
    ] as const) {
      const { outcomes, isBelieved, doubtful: after } = weigh(times(now, doubtful), before);
      assert.deepEqual([isBelieved, after], [false, DOUBTFUL_MAX]);
      for (const outcome of outcomes) {
        assert.equal(outcome.kind, 'locked-out');
        assert.match('reason' in outcome ? outcome.reason : '', /BadDeviceToken.*app_id, package and environment/);
      }
    }
  });
});

test('tokens that are dead for certain are left alone, and others are not made doubtful by them', () => {
  const outcomes = [...times(DOUBTFUL_MAX, dead), doubtful, { kind: 'unreachable', reason: 'x' } as const];
  assert.deepEqual(weigh(outcomes, 0), { outcomes, isBelieved: false, doubtful: 1 });
  const wave = weigh([...times(DOUBTFUL_MAX, doubtful), dead], 0).outcomes;
  assert.deepEqual(wave.at(-1), dead);
});
