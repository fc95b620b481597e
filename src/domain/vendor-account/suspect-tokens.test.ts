import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import {
  areCredentialsSuspect,
  evaluateSuspectTokens,
  NO_SUSPECT_TOKENS,
  SUSPECT_USERS_MAX,
  withoutSuspect,
} from './suspect-tokens.ts';

const suspectTokens = (count: number) => Array.from({ length: count }, (_, i) => `suspect ${i}`);
/** Reports of suspect tokens, each of another user. */
const suspectReports = (suspect: readonly string[]) => ({
  hasAccepted: false,
  dead: [] as string[],
  suspect,
  suspectUsers: suspect.map((token) => `user of ${token}`),
});
const usersOf = (tokens: readonly string[]) => new Set(suspectReports(tokens).suspectUsers);

describe('tokens that may belong to another app', () => {
  test('count as dead if the vendor accepts other tokens at the same time, regardless of the number of suspect tokens', () => {
    const before = { users: new Set(['1', '2']), targets: ['a', 'b'] };
    const suspect = suspectTokens(500);
    const reports = { ...suspectReports(suspect), hasAccepted: true, dead: ['c'] };
    assert.deepEqual(evaluateSuspectTokens(before, reports), {
      dead: ['a', 'b', ...suspect, 'c'],
      state: NO_SUSPECT_TOKENS,
    });
  });

  test('do not count as dead yet while there are few', () => {
    const suspect = suspectTokens(SUSPECT_USERS_MAX - 1);
    const { dead, state } = evaluateSuspectTokens(NO_SUSPECT_TOKENS, suspectReports(suspect));
    assert.deepEqual({ dead, state }, { dead: [], state: { users: usersOf(suspect), targets: suspect } });
    assert.equal(areCredentialsSuspect(state), false);
  });

  test('indicate wrong credentials if there are many in a row, even across several calls', () => {
    for (const [before, now] of [
      [0, SUSPECT_USERS_MAX],
      [SUSPECT_USERS_MAX - 1, 1],
      [SUSPECT_USERS_MAX, 1],
    ] as const) {
      const stateBefore = { users: usersOf(suspectTokens(before)), targets: [] };
      const reports = suspectReports(Array.from({ length: now }, (_, i) => `later ${i}`));
      const { dead, state } = evaluateSuspectTokens<string>(stateBefore, reports);
      assert.deepEqual([dead, state.users.size, state.targets], [[], SUSPECT_USERS_MAX, []]);
      assert.ok(areCredentialsSuspect(state));
    }
    const outcome = withoutSuspect({ kind: 'token-dead', reason: 'BadDeviceToken', suspect: true });
    assert.equal(outcome.kind, 'locked-out');
    assert.match('reason' in outcome ? outcome.reason : '', /BadDeviceToken.*app_id, package and environment/);
  });

  test('do not indicate wrong credentials if they belong to few users, and only the latest are kept', () => {
    const suspect = suspectTokens(500);
    const { state } = evaluateSuspectTokens(NO_SUSPECT_TOKENS, {
      ...suspectReports(suspect),
      suspectUsers: ['1', '1'],
    });
    assert.equal(areCredentialsSuspect(state), false);
    assert.deepEqual(state, { users: new Set(['1']), targets: suspect.slice(-20) });
  });
});

test('tokens that are certainly dead stay unchanged and do not count as suspect', () => {
  const certain = Array.from({ length: SUSPECT_USERS_MAX }, (_, i) => `dead ${i}`);
  assert.deepEqual(evaluateSuspectTokens(NO_SUSPECT_TOKENS, { ...suspectReports(['a']), dead: certain }), {
    dead: certain,
    state: { users: usersOf(['a']), targets: ['a'] },
  });
  const many = { ...suspectReports(suspectTokens(SUSPECT_USERS_MAX)), dead: ['gone'] };
  assert.deepEqual(evaluateSuspectTokens(NO_SUSPECT_TOKENS, many).dead, ['gone']);
  const dead: Outcome = { kind: 'token-dead', reason: 'Unregistered' };
  assert.deepEqual(withoutSuspect(dead), dead);
});
