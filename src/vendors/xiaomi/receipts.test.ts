import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { xiaomiReceiptReader, xiaomiReceipts } from './receipts.ts';

const AT = 1_552_470_320_982;
const reference = '4503599627370497.1.9';
const entry = (change: object = {}) => ({
  param: reference,
  type: 1,
  targets: 't1',
  jobkey: 'k',
  barStatus: 'Enable',
  timestamp: AT,
  ...change,
});
const read = (...entries: readonly unknown[]) =>
  xiaomiReceipts({ data: JSON.stringify(Object.fromEntries(entries.map((each, i) => [`scm${i}`, each]))) });
const receipt = { token: 't1', reference, at: new Date(AT) };
/** A token that is reported as dead may belong to another app. */
const dead = { ...receipt, kind: 'token-dead', suspect: true };

describe('a callback from Xiaomi', () => {
  const kinds = [
    ['delivered', [1]],
    ['clicked', [2]],
    ['token-dead', [16]],
    ['failed', [32, 64, 128, 1_024, 9_999]],
  ] as const;
  for (const [kind, types] of kinds) {
    for (const type of types) {
      test(`with type ${type} means ${kind}`, () => {
        const expected = [{ ...(kind === 'token-dead' ? dead : { ...receipt, kind }), code: String(type) }];
        assert.deepEqual(read(entry({ type })), expected);
        assert.deepEqual(read(entry({ type: String(type) })), expected);
      });
    }
  }

  test('can contain several messages with several tokens each', () => {
    const receipts = read(entry({ targets: 't1,t2' }), entry({ targets: 't3', type: 16, errorCode: 1 }));
    assert.deepEqual(
      receipts?.map(({ token, kind }) => [token, kind]),
      [
        ['t1', 'delivered'],
        ['t2', 'delivered'],
        ['t3', 'token-dead'],
      ],
    );
    assert.deepEqual(read(), []);
  });

  test('with a replacement token reports the old token as dead', () => {
    const receipts = read(entry({ type: 16, replaceTarget: { t1: 't9' } }));
    assert.deepEqual(receipts, [{ ...dead, code: '16' }]);
  });

  test('ignores entries without a token, a Carillon reference or a type', () => {
    const odd = [
      entry({ targets: undefined }),
      entry({ targets: '' }),
      entry({ targets: ['t1'] }),
      entry({ param: undefined }),
      entry({ param: 'x'.repeat(65) }),
      entry({ type: undefined }),
      entry({ type: {} }),
      null,
      'x',
      [],
    ];
    assert.deepEqual(read(...odd, entry())?.length, 1);
  });

  test('has the time 0, before every binding, if its own time is missing', () => {
    assert.deepEqual(read(entry({ timestamp: undefined }))?.[0]?.at, new Date(0));
  });

  test('yields at most 1,000 receipts', () => {
    const targets = Array.from({ length: 1_200 }, (_, i) => `t${i}`).join(',');
    assert.equal(read(entry({ targets }))?.length, 1_000);
  });

  test('is not recognized without a JSON object in the data field', () => {
    for (const body of [undefined, null, 'x', [], {}, { data: {} }, { data: '[]' }, { data: '{' }, { data: 'null' }])
      assert.equal(xiaomiReceipts(body), undefined);
  });

  test('gets a response with status 200', () => assert.equal(xiaomiReceiptReader.response.status, 200));
});
