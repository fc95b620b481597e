import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import {
  areCredentialsSuspect,
  evaluateSuspectTokens,
  NO_SUSPECT_TOKENS,
  SUSPECT_TOKENS_MAX,
  withoutSuspect,
} from './suspect-tokens.ts';

const suspectTokens = (count: number) => Array.from({ length: count }, (_, i) => `suspect ${i}`);
const reports = { hasAccepted: false, dead: [], suspect: [] };

describe('tokens that may belong to another app', () => {
  test('count as dead if the vendor accepts other tokens at the same time, regardless of the number of suspect tokens', () => {
    const before = { count: 2, targets: ['a', 'b'] };
    const suspect = suspectTokens(500);
    assert.deepEqual(evaluateSuspectTokens(before, { hasAccepted: true, dead: ['c'], suspect }), {
      dead: ['a', 'b', ...suspect, 'c'],
      state: NO_SUSPECT_TOKENS,
    });
  });

  test('do not count as dead yet while there are few', () => {
    const suspect = suspectTokens(SUSPECT_TOKENS_MAX - 1);
    const { dead, state } = evaluateSuspectTokens(NO_SUSPECT_TOKENS, { ...reports, suspect });
    assert.deepEqual({ dead, state }, { dead: [], state: { count: SUSPECT_TOKENS_MAX - 1, targets: suspect } });
    assert.equal(areCredentialsSuspect(state), false);
  });

  test('indicate wrong credentials if there are many in a row, even across several calls', () => {
    for (const [before, now] of [
      [0, SUSPECT_TOKENS_MAX],
      [SUSPECT_TOKENS_MAX - 1, 1],
      [SUSPECT_TOKENS_MAX, 1],
    ] as const) {
      const stateBefore = { count: before, targets: [] };
      const { dead, state } = evaluateSuspectTokens(stateBefore, { ...reports, suspect: suspectTokens(now) });
      assert.deepEqual({ dead, state }, { dead: [], state: { count: SUSPECT_TOKENS_MAX, targets: [] } });
      assert.ok(areCredentialsSuspect(state));
    }
    const outcome = withoutSuspect({ kind: 'token-dead', reason: 'BadDeviceToken', suspect: true });
    assert.equal(outcome.kind, 'locked-out');
    assert.match('reason' in outcome ? outcome.reason : '', /BadDeviceToken.*app_id, package and environment/);
  });
});

test('tokens that are certainly dead stay unchanged and do not count as suspect', () => {
  const certain = Array.from({ length: SUSPECT_TOKENS_MAX }, (_, i) => `dead ${i}`);
  assert.deepEqual(evaluateSuspectTokens(NO_SUSPECT_TOKENS, { ...reports, dead: certain, suspect: ['a'] }), {
    dead: certain,
    state: { count: 1, targets: ['a'] },
  });
  const many = { ...reports, dead: ['gone'], suspect: suspectTokens(SUSPECT_TOKENS_MAX) };
  assert.deepEqual(evaluateSuspectTokens(NO_SUSPECT_TOKENS, many).dead, ['gone']);
  const dead: Outcome = { kind: 'token-dead', reason: 'Unregistered' };
  assert.deepEqual(withoutSuspect(dead), dead);
});
