import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SUSPECT_USERS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { type ReceiptStatus, ReceiptSuspectTokens } from './suspect-tokens.ts';

const account = { appId: 'bells', channel: 'oppo' } as const;
const delivered: ReceiptStatus = { kind: 'delivered' };
const suspectDead: ReceiptStatus = { kind: 'token-dead', suspect: true };
const certainlyDead: ReceiptStatus = { kind: 'token-dead' };
const userOf = (token: string) => `user of ${token}`;
const receiptsOf = (...entries: readonly (readonly [string, ReceiptStatus])[]) =>
  entries.map(([target, status]) => ({ target, status }));

describe('dead tokens in receipts', () => {
  test('are confirmed after a delivery to another device, together with earlier suspect tokens, and only once', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['a', suspectDead]), userOf).dead, []);
    assert.deepEqual(
      receipts.evaluate(account, receiptsOf(['b', suspectDead], ['c', certainlyDead]), userOf).dead,
      ['c'],
      'this token is certainly dead',
    );
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['d', delivered], ['e', suspectDead]), userOf).dead, [
      'a',
      'b',
      'e',
    ]);
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['f', delivered]), userOf).dead, []);
  });

  test('are ignored if there are too many in a row, and the suspicion is reported once', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    const manySuspects = Array.from({ length: SUSPECT_USERS_MAX }, (_, i) => [`${i}`, suspectDead] as const);
    assert.deepEqual(receipts.evaluate(account, receiptsOf(...manySuspects), userOf), { dead: [], isSuspicious: true });
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['x', suspectDead]), userOf), {
      dead: [],
      isSuspicious: false,
    });
    assert.deepEqual(
      receipts.evaluate(account, receiptsOf(['y', delivered]), userOf).dead,
      [],
      'the ignored tokens are not confirmed later either',
    );
  });

  test('are not ignored if they all belong to one user', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    const manySuspects = Array.from({ length: SUSPECT_USERS_MAX }, (_, i) => [`${i}`, suspectDead] as const);
    const evaluation = receipts.evaluate(account, receiptsOf(...manySuspects), () => 'one user');
    assert.deepEqual(evaluation, { dead: [], isSuspicious: false });
    const { dead } = receipts.evaluate(account, receiptsOf(['y', delivered]), userOf);
    assert.equal(dead.length, SUSPECT_USERS_MAX);
  });

  test('are counted separately for each app and vendor', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    receipts.evaluate(account, receiptsOf(['a', suspectDead]), userOf);
    assert.deepEqual(
      receipts.evaluate({ ...account, channel: 'xiaomi' }, receiptsOf(['b', delivered]), userOf).dead,
      [],
    );
    assert.deepEqual(receipts.evaluate({ ...account, appId: 'other' }, receiptsOf(['b', delivered]), userOf).dead, []);
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['b', delivered]), userOf).dead, ['a']);
  });

  test('are not affected by receipts that do not concern tokens', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    receipts.evaluate(account, receiptsOf(['a', suspectDead]), userOf);
    assert.deepEqual(
      receipts.evaluate(account, receiptsOf(['b', { kind: 'failed' }], ['c', { kind: 'pending' }]), userOf).dead,
      [],
    );
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['b', delivered]), userOf).dead, ['a']);
  });
});
