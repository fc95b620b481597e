import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SUSPECT_TOKENS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { type ReceiptStatus, ReceiptSuspectTokens } from './suspect-tokens.ts';

const account = { appId: 'bells', channel: 'oppo' } as const;
const delivered: ReceiptStatus = { kind: 'delivered' };
const suspectDead: ReceiptStatus = { kind: 'token-dead', suspect: true };
const certainlyDead: ReceiptStatus = { kind: 'token-dead' };
const receiptsOf = (...entries: readonly (readonly [string, ReceiptStatus])[]) =>
  entries.map(([target, status]) => ({ target, status }));

describe('dead tokens in receipts', () => {
  test('are confirmed after a delivery to another device, together with earlier suspect tokens, and only once', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['a', suspectDead])).dead, []);
    assert.deepEqual(
      receipts.evaluate(account, receiptsOf(['b', suspectDead], ['c', certainlyDead])).dead,
      ['c'],
      'this token is certainly dead',
    );
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['d', delivered], ['e', suspectDead])).dead, [
      'a',
      'b',
      'e',
    ]);
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['f', delivered])).dead, []);
  });

  test('are ignored if there are too many in a row, and the suspicion is reported once', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    const manySuspects = Array.from({ length: SUSPECT_TOKENS_MAX }, (_, i) => [`${i}`, suspectDead] as const);
    assert.deepEqual(receipts.evaluate(account, receiptsOf(...manySuspects)), { dead: [], isSuspicious: true });
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['x', suspectDead])), { dead: [], isSuspicious: false });
    assert.deepEqual(
      receipts.evaluate(account, receiptsOf(['y', delivered])).dead,
      [],
      'the ignored tokens are not confirmed later either',
    );
  });

  test('are counted separately for each app and vendor', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    receipts.evaluate(account, receiptsOf(['a', suspectDead]));
    assert.deepEqual(receipts.evaluate({ ...account, channel: 'xiaomi' }, receiptsOf(['b', delivered])).dead, []);
    assert.deepEqual(receipts.evaluate({ ...account, appId: 'other' }, receiptsOf(['b', delivered])).dead, []);
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['b', delivered])).dead, ['a']);
  });

  test('are not affected by receipts that do not concern tokens', () => {
    const receipts = new ReceiptSuspectTokens<string>();
    receipts.evaluate(account, receiptsOf(['a', suspectDead]));
    assert.deepEqual(
      receipts.evaluate(account, receiptsOf(['b', { kind: 'failed' }], ['c', { kind: 'pending' }])).dead,
      [],
    );
    assert.deepEqual(receipts.evaluate(account, receiptsOf(['b', delivered])).dead, ['a']);
  });
});
