import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson } from '#src/foundation/json.ts';
import { vivoReceiptReader, vivoReceipts } from './receipts.ts';

const AT = 1_697_741_455_082;
const reference = '4503599627370497.1.9';
const entry = (change: object = {}) => ({ param: reference, targets: 't1', ackType: '0', ackTime: AT, ...change });
const receipt = { token: 't1', reference, kind: 'delivered', code: '0', at: new Date(AT) };
const read = (...entries: readonly unknown[]) =>
  vivoReceipts(Object.fromEntries(entries.map((each, index) => [`55575854205005004${index}`, each])));

describe('a callback from vivo', () => {
  test('reports a delivery', () => {
    assert.deepEqual(read(entry()), [receipt]);
    assert.deepEqual(read(entry({ ackType: 0, ackTime: String(AT) })), [receipt]);
  });

  test('reports only deliveries in its older form, without a time', () => {
    const older = entry({ ackType: undefined, ackTime: undefined });
    assert.deepEqual(read(older), [{ ...receipt, at: new Date(0) }]);
  });

  test('is read from a recorded sample, which has no Carillon reference', () => {
    const body = '{"555758542050050048":{"param":null,"targets":"15513410784181118114099"}}';
    assert.deepEqual(vivoReceipts(parseJson(body)), []);
    const ours = vivoReceipts(parseJson(body.replace('null', `"${reference}"`)));
    assert.equal(ours?.[0]?.token, '15513410784181118114099');
  });

  test('reports a failure for any other number and keeps the number', () => {
    for (const ackType of ['1', '2', 203])
      assert.deepEqual(read(entry({ ackType })), [{ ...receipt, kind: 'failed', code: String(ackType) }]);
  });

  test('can contain several tasks with several devices each', () => {
    const tokens = read(entry({ targets: 't1,t2,' }), entry({ targets: 't3' }))?.map(({ token }) => token);
    assert.deepEqual(tokens, ['t1', 't2', 't3']);
    assert.deepEqual(read(), []);
  });

  test('ignores entries without a token, a Carillon reference or a type', () => {
    const odd = [
      ...[{ targets: '' }, { targets: 7 }, { targets: null }, { param: '' }, { param: '*** ***' }, { param: {} }],
      ...[{ ackType: {} }, { ackType: '' }, { ackType: null }],
    ].map(entry);
    assert.deepEqual(read(...odd, null, 'x', []), []);
  });

  test('yields at most 1,000 receipts', () => {
    const targets = Array.from({ length: 700 }, (_, index) => `t${index}`).join(',');
    assert.equal(read(entry({ targets }), entry({ targets }))?.length, 1_000);
  });

  test('is not recognized if it is not an object', () => {
    for (const body of [undefined, null, [], 'x', 7]) assert.equal(vivoReceipts(body), undefined);
  });

  test('is not signed', () => assert.equal(vivoReceiptReader.isSigned, undefined));
});
