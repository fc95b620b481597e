import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '#src/domain/outcome.ts';
import { SUSPECT_TOKENS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { SuspectTokens } from './suspect-tokens.ts';

const account = { appId: 'bells', channel: 'apns', environment: 1, version: 1 } as const;
const foreign: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken', suspect: true };
const gone: Outcome = { kind: 'token-dead', reason: 'Unregistered' };
const accepted: Outcome = { kind: 'accepted', channelMessageId: '' };
const targetsOf = (dead: readonly { target: string }[]) => dead.map(({ target }) => target);

describe('suspect tokens', () => {
  test('are reported as dead, only once, after the vendor accepts another token, including tokens of earlier rounds', () => {
    const suspectTokens = new SuspectTokens<string>();
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
    const suspectTokens = new SuspectTokens<string>();
    for (let i = 1; i < SUSPECT_TOKENS_MAX; i++)
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
    const suspectTokens = new SuspectTokens<string>();
    suspectTokens.evaluate(account, ['a', 'b'], [foreign, foreign]);
    assert.deepEqual(suspectTokens.evaluate(account, ['probe'], [accepted], { isProbe: true }).dead, []);
    assert.deepEqual(suspectTokens.evaluate(account, ['c'], [accepted]).dead, []);
  });

  test('are counted separately for each account and each version of its credentials', () => {
    const suspectTokens = new SuspectTokens<string>();
    for (let i = 1; i < SUSPECT_TOKENS_MAX; i++) suspectTokens.evaluate(account, [`${i}`], [foreign]);
    for (const other of [
      { ...account, version: 2 },
      { ...account, environment: 0 as const },
      { ...account, appId: 'other' },
    ])
      assert.equal(suspectTokens.evaluate(other, ['x'], [foreign]).outcomes[0]?.kind, 'token-dead');
    assert.equal(suspectTokens.evaluate(account, ['x'], [foreign]).outcomes[0]?.kind, 'locked-out');
  });
});
