import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '#src/domain/outcome.ts';
import { DOUBTFUL_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { Doubts } from './suspect-tokens.ts';

const account = { appId: 'bells', channel: 'apns', environment: 1, version: 1 } as const;
const foreign: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken', doubtful: true };
const gone: Outcome = { kind: 'token-dead', reason: 'Unregistered' };
const accepted: Outcome = { kind: 'accepted', channelMessageId: '' };
const names = (dead: readonly { who: string }[]) => dead.map(({ who }) => who);

describe('tokens that a vendor calls foreign', () => {
  test('are dead once it accepts somebody else, those of earlier rounds as well, and once only', () => {
    const doubts = new Doubts<string>();
    assert.deepEqual(names(doubts.weigh(account, ['a'], [foreign]).dead), []);
    assert.deepEqual(names(doubts.weigh(account, ['b', 'c'], [foreign, gone]).dead), ['c'], 'that one is certain');
    assert.deepEqual(names(doubts.weigh(account, ['d', 'e'], [accepted, foreign]).dead), ['a', 'b', 'e']);
    assert.deepEqual(names(doubts.weigh(account, ['f'], [accepted]).dead), []);
  });

  test('are nobody’s when there are too many of them, and stay so until something is accepted', () => {
    const doubts = new Doubts<string>();
    for (let i = 1; i < DOUBTFUL_MAX; i++)
      assert.equal(doubts.weigh(account, [`${i}`], [foreign]).outcomes[0]?.kind, 'token-dead');
    for (let probe = 0; probe < 3; probe++) {
      const { outcomes, dead } = doubts.weigh(account, ['probe'], [foreign]);
      assert.equal(outcomes[0]?.kind, 'locked-out');
      assert.deepEqual(dead, []);
    }
    assert.deepEqual(
      names(doubts.weigh(account, ['x'], [accepted]).dead),
      [],
      'none of the many is believed afterwards',
    );
    assert.equal(doubts.weigh(account, ['y'], [foreign]).outcomes[0]?.kind, 'token-dead');
  });

  test('are counted for each account and each certificate alone', () => {
    const doubts = new Doubts<string>();
    for (let i = 1; i < DOUBTFUL_MAX; i++) doubts.weigh(account, [`${i}`], [foreign]);
    for (const other of [
      { ...account, version: 2 },
      { ...account, environment: 0 as const },
      { ...account, appId: 'other' },
    ])
      assert.equal(doubts.weigh(other, ['x'], [foreign]).outcomes[0]?.kind, 'token-dead');
    assert.equal(doubts.weigh(account, ['x'], [foreign]).outcomes[0]?.kind, 'locked-out');
  });
});
