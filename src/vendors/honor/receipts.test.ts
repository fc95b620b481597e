import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { honorReceiptReader, honorReceipts } from './receipts.ts';

const AT = 1_697_741_455_082;
const entry = (change: object = {}) => ({
  biTag: '4503599627370497.1.9',
  appid: '104410001',
  token: 'BAEAAAAAB.jlyp2BnK',
  status: 0,
  timestamp: AT,
  requestId: '157',
  ...change,
});

describe('a callback from Honor', () => {
  for (const status of [0, 40_000_002, '40000002'])
    test(`with status ${JSON.stringify(status)} means delivered`, () => {
      assert.deepEqual(honorReceipts({ statuses: [entry({ status })] }), [
        {
          token: 'BAEAAAAAB.jlyp2BnK',
          reference: '4503599627370497.1.9',
          kind: 'delivered',
          code: String(status),
          at: new Date(AT),
        },
      ]);
    });

  test('with any other status means failed and invalidates no token', () => {
    const states = [1, 2, 5, 6, 10, 15, 27, 102, 201, 40_000_001];
    const receipts = honorReceipts({ statuses: states.map((status) => entry({ status })) });
    assert.deepEqual(
      receipts?.map(({ kind, code }) => [kind, code]),
      states.map((status) => ['failed', String(status)]),
    );
  });

  test('ignores entries without a token, a Carillon reference or a status', () => {
    const odd = [{ token: '' }, { token: 7 }, { biTag: undefined }, { biTag: 'bi**62' }, { status: null }].map(entry);
    assert.deepEqual(honorReceipts({ statuses: [...odd, null, 'x'] }), []);
  });

  test('is not recognized without a list', () => {
    for (const body of [undefined, [], {}, { statuses: 'x' }]) assert.equal(honorReceipts(body), undefined);
  });

  test('gets the response that Honor requires and is not signed', () => {
    assert.deepEqual(honorReceiptReader.response, { status: 200, body: '{"code":"0","message":"success"}' });
    assert.equal(honorReceiptReader.isSigned, undefined);
  });
});
