import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DOUBTFUL_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { DoubtedReceipts, type ToldToken } from './suspect-tokens.ts';

const account = { appId: 'bells', channel: 'oppo' } as const;
const arrived: ToldToken = { kind: 'delivered' };
const dead: ToldToken = { kind: 'token-dead', doubtful: true };
const certain: ToldToken = { kind: 'token-dead' };
const told = (...entries: readonly (readonly [string, ToldToken])[]) =>
  entries.map(([who, one]) => ({ who, told: one }));

describe('tokens that receipts call dead', () => {
  test('are believed once something has arrived at another phone, those of before as well, and once only', () => {
    const receipts = new DoubtedReceipts<string>();
    assert.deepEqual(receipts.weigh(account, told(['a', dead])).dead, []);
    assert.deepEqual(receipts.weigh(account, told(['b', dead], ['c', certain])).dead, ['c'], 'that one is certain');
    assert.deepEqual(receipts.weigh(account, told(['d', arrived], ['e', dead])).dead, ['a', 'b', 'e']);
    assert.deepEqual(receipts.weigh(account, told(['f', arrived])).dead, []);
  });

  test('are not when there are too many of them in a row, of which it is told once', () => {
    const receipts = new DoubtedReceipts<string>();
    const wave = Array.from({ length: DOUBTFUL_MAX }, (_, i) => [`${i}`, dead] as const);
    assert.deepEqual(receipts.weigh(account, told(...wave)), { dead: [], isSuspicious: true });
    assert.deepEqual(receipts.weigh(account, told(['x', dead])), { dead: [], isSuspicious: false });
    assert.deepEqual(receipts.weigh(account, told(['y', arrived])).dead, [], 'none of the many afterwards either');
  });

  test('are counted for each app and vendor alone', () => {
    const receipts = new DoubtedReceipts<string>();
    receipts.weigh(account, told(['a', dead]));
    assert.deepEqual(receipts.weigh({ ...account, channel: 'xiaomi' }, told(['b', arrived])).dead, []);
    assert.deepEqual(receipts.weigh({ ...account, appId: 'other' }, told(['b', arrived])).dead, []);
    assert.deepEqual(receipts.weigh(account, told(['b', arrived])).dead, ['a']);
  });

  test('are left alone by what says nothing of tokens', () => {
    const receipts = new DoubtedReceipts<string>();
    receipts.weigh(account, told(['a', dead]));
    assert.deepEqual(receipts.weigh(account, told(['b', { kind: 'failed' }], ['c', { kind: 'pending' }])).dead, []);
    assert.deepEqual(receipts.weigh(account, told(['b', arrived])).dead, ['a']);
  });
});
