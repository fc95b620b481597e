import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { harmonyReceiptReader, harmonyReceipts } from './receipts.ts';

const AT = 1_697_741_455_082;
const entry = (result: unknown, change: object = {}) => ({
  token: 't1',
  pushType: 0,
  appPackageName: 'com.example',
  biTag: '4503599627370497.1.9',
  requestId: '157000000000000000000006',
  deliveryStatus: { result, timestamp: AT },
  ...change,
});
const receipt = { token: 't1', reference: '4503599627370497.1.9', at: new Date(AT) };
const read = (...statuses: readonly unknown[]) => harmonyReceipts({ statuses });

describe('a callback from HarmonyOS Push Kit', () => {
  const kinds = [
    ['delivered', [0]],
    ['token-dead', [2, 5]],
    ['pending', [27, 51]],
    ['failed', [6, 10, 14, 15, 22, 31, 102, 144, 188, 191, 256, 259, 264, 9_999]],
  ] as const;
  for (const [kind, results] of kinds)
    for (const result of results)
      test(`with the result ${result} means ${kind}`, () => {
        const expected = [{ ...receipt, kind, code: String(result) }];
        assert.deepEqual(read(entry(result)), expected);
        assert.deepEqual(read(entry(String(result))), expected);
      });

  test('ignores entries without a token, a Carillon reference or a result, and entries of version 1', () => {
    const odd = [
      entry(0, { token: undefined }),
      entry(0, { token: '' }),
      entry(0, { biTag: undefined }),
      entry(0, { biTag: 'bi**62' }),
      entry(null),
      entry(0, { deliveryStatus: undefined, status: 0, timestamp: AT }),
      null,
      'x',
      [],
    ];
    assert.equal(read(...odd, entry(0))?.length, 1);
    assert.deepEqual(read(), []);
  });

  test('is not recognized without a list', () => {
    for (const body of [undefined, null, 'x', [], {}, { statuses: {} }]) assert.equal(harmonyReceipts(body), undefined);
  });

  test('is verified with the signature of Huawei', () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const secrets = { userName: 'carillon', key: Buffer.from('the key').toString('base64') };
    const signedText = `${now.getTime()}n1carillon`;
    const value = createHmac('sha256', 'the key').update(signedText).digest('base64');
    const headers = { 'x-huawei-callback-id': `timestamp=${now.getTime()};nonce=n1;value=${value}` };
    assert.equal(harmonyReceiptReader.isSigned?.(headers, secrets, now), true);
    assert.equal(harmonyReceiptReader.isSigned?.(headers, { ...secrets, userName: 'x' }, now), false);
    assert.deepEqual(harmonyReceiptReader.response, { status: 200, body: '{"code":"0","message":"success"}' });
  });
});
