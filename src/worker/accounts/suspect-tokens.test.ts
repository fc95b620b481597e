import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '#src/domain/outcome.ts';
import { SUSPECT_USERS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { SuspectTokens } from './suspect-tokens.ts';

const account = { appId: 'bells', channel: 'apns', environment: 1, version: 1 } as const;
const foreign: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken', suspect: true };
const gone: Outcome = { kind: 'token-dead', reason: 'Unregistered' };
const accepted: Outcome = { kind: 'accepted', channelMessageId: '' };
/** Each token belongs to another user. A token that starts with `own` was used in a task that a user created. */
const userOf = (token: string) => (token.startsWith('own') ? undefined : `user of ${token}`);
const targetsOf = (dead: readonly { target: string }[]) => dead.map(({ target }) => target);

describe('suspect tokens', () => {
  test('are reported as dead, only once, after the vendor accepts another token, including tokens of earlier rounds', () => {
    const suspectTokens = new SuspectTokens<string>(userOf);
    assert.deepEqual(targetsOf(suspectTokens.evaluate(account, ['a'], [foreign]).dead), []);
    assert.deepEqual(
      targetsOf(suspectTokens.evaluate(account, ['b', 'c'], [foreign, gone]).dead),
      ['c'],
      'this token is certainly dead',
    );
    assert.deepEqual(targetsOf(suspectTokens.evaluate(account, ['d', 'e'], [accepted, foreign]).dead), ['a', 'b', 'e']);
    assert.deepEqual(targetsOf(suspectTokens.evaluate(account, ['f'], [accepted]).dead), []);
  });

  test('lock out the account when there are too many, until a notification is accepted', () => {
    const suspectTokens = new SuspectTokens<string>(userOf);
    for (let i = 1; i < SUSPECT_USERS_MAX; i++)
      assert.equal(suspectTokens.evaluate(account, [`${i}`], [foreign]).outcomes[0]?.kind, 'token-dead');
    for (let probe = 0; probe < 3; probe++) {
      const { outcomes, dead } = suspectTokens.evaluate(account, ['probe'], [foreign]);
      assert.equal(outcomes[0]?.kind, 'locked-out');
      assert.deepEqual(dead, []);
    }
    assert.deepEqual(
      targetsOf(suspectTokens.evaluate(account, ['x'], [accepted]).dead),
      [],
      'none of the many tokens is reported as dead afterwards',
    );
    assert.equal(suspectTokens.evaluate(account, ['y'], [foreign]).outcomes[0]?.kind, 'token-dead');
  });

  test('do not count as dead when a probe is accepted after the breaker of the account tripped', () => {
    const suspectTokens = new SuspectTokens<string>(userOf);
    suspectTokens.evaluate(account, ['a', 'b'], [foreign, foreign]);
    assert.deepEqual(suspectTokens.evaluate(account, ['probe'], [accepted], { isProbe: true }).dead, []);
    assert.deepEqual(suspectTokens.evaluate(account, ['c'], [accepted]).dead, []);
  });

  test('are counted separately for each account and each version of its credentials', () => {
    const suspectTokens = new SuspectTokens<string>(userOf);
    for (let i = 1; i < SUSPECT_USERS_MAX; i++) suspectTokens.evaluate(account, [`${i}`], [foreign]);
    for (const other of [
      { ...account, version: 2 },
      { ...account, environment: 0 as const },
      { ...account, appId: 'other' },
    ])
      assert.equal(suspectTokens.evaluate(other, ['x'], [foreign]).outcomes[0]?.kind, 'token-dead');
    assert.equal(suspectTokens.evaluate(account, ['x'], [foreign]).outcomes[0]?.kind, 'locked-out');
  });

  test('of tasks that users created never lock out the account, and are dead after the vendor accepts another token', () => {
    const suspectTokens = new SuspectTokens<string>(userOf);
    for (let i = 0; i < 2 * SUSPECT_USERS_MAX; i++)
      assert.equal(suspectTokens.evaluate(account, [`own ${i}`], [foreign]).outcomes[0]?.kind, 'token-dead');
    for (let i = 1; i < SUSPECT_USERS_MAX; i++) suspectTokens.evaluate(account, [`${i}`], [foreign]);
    suspectTokens.evaluate(account, ['own a'], [foreign]);
    assert.deepEqual(targetsOf(suspectTokens.evaluate(account, ['b'], [accepted]).dead).slice(-1), ['own a']);
    for (let i = 0; i < SUSPECT_USERS_MAX; i++) suspectTokens.evaluate(account, [`${i}`], [foreign]);
    const { outcomes } = suspectTokens.evaluate(account, ['own a', 'b'], [foreign, foreign]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['token-dead', 'locked-out'],
    );
  });

  test('of one user count once', () => {
    const suspectTokens = new SuspectTokens<string>(() => 'one user');
    const tokens = Array.from({ length: 2 * SUSPECT_USERS_MAX }, (_, i) => `${i}`);
    const { outcomes } = suspectTokens.evaluate(
      account,
      tokens,
      tokens.map(() => foreign),
    );
    assert.ok(outcomes.every(({ kind }) => kind === 'token-dead'));
    assert.ok(suspectTokens.includesUser(account, 'one user'));
    assert.ok(!suspectTokens.includesUser(account, 'another user'));
  });
});
