import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flymeReceiptReader, flymeReceipts } from './receipts.ts';

const msgId = 'NS20190313171303747_0_11579902_1_3';
const reference = '4503599627370497.1.9';
const entry = (change: object = {}) => ({ param: reference, type: 1, targets: ['t1'], ...change });
const receipt = { token: 't1', reference, kind: 'delivered', code: '1', at: new Date(0) };
const read = (entries: object) => flymeReceipts({ access_token: 'x', cb: JSON.stringify(entries) });

describe('a callback from Meizu', () => {
  test('reports a delivery', () => {
    assert.deepEqual(read({ [`${msgId}-1`]: entry() }), [receipt]);
    assert.deepEqual(read({ [`${msgId}-1`]: entry({ type: '1' }) }), [receipt]);
  });

  test('reports a click', () => {
    assert.deepEqual(read({ [`${msgId}-2`]: entry({ type: 2 }) }), [{ ...receipt, kind: 'clicked', code: '2' }]);
  });

  test('reports a failure for an unknown type', () => {
    assert.deepEqual(read({ [`${msgId}-9`]: entry({ type: 9 }) }), [{ ...receipt, kind: 'failed', code: '9' }]);
  });

  test('can contain several messages with several devices each', () => {
    const all = read({ a: entry({ targets: ['t1', 't2'] }), b: entry({ targets: ['t3'] }) });
    assert.deepEqual(
      all?.map(({ token }) => token),
      ['t1', 't2', 't3'],
    );
    assert.deepEqual(read({}), []);
  });

  test('ignores entries without a token, a Carillon reference or a type', () => {
    const odd = [
      ...[{ targets: [] }, { targets: ['', 7, null] }, { targets: 't1' }, { param: '' }, { param: null }],
      ...[{ param: '*** ***' }, { type: undefined }, { type: {} }],
    ].map(entry);
    assert.deepEqual(read(Object.fromEntries([...odd, null, 'x', []].map((each, index) => [index, each]))), []);
  });

  test('yields at most 1,000 receipts', () => {
    const targets = Array.from({ length: 1_500 }, (_, index) => `t${index}`);
    assert.equal(read({ a: entry({ targets }), b: entry({ targets }) })?.length, 1_000);
  });

  test('is not recognized without a JSON object in the cb field', () => {
    for (const body of [undefined, null, [], 'x', {}, { cb: '' }, { cb: '[]' }, { cb: '{"a":' }, { cb: {} }])
      assert.equal(flymeReceipts(body), undefined);
  });
});

describe('the access token of a callback from Meizu', () => {
  const isSigned = (body: unknown, key = 'c68b05') =>
    flymeReceiptReader.isSigned?.({}, { userName: 'x', key }, new Date(), body);

  test('is accepted if it matches the token that is set in the console', () =>
    assert.equal(isSigned({ access_token: 'c68b05' }), true));

  test('is rejected if it differs or is empty', () => {
    for (const body of [
      { access_token: 'c68b06' },
      { access_token: '' },
      { access_token: 7 },
      {},
      null,
      undefined,
      'x',
    ])
      assert.equal(isSigned(body), false);
    assert.equal(isSigned({ access_token: '' }, ''), false);
  });
});
