import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { huaweiReceiptReader, huaweiReceipts, isSignedByHuawei } from './receipts.ts';

const AT = 1_697_741_455_082;
const v1 = (change: object = {}) => ({
  token: 't1',
  biTag: '4503599627370497.1.9',
  status: 0,
  timestamp: AT,
  clientId: '10086001',
  requestId: '157000000000000000000006',
  ...change,
});
const v2 = (result: unknown, change: object = {}) => ({
  token: 't1',
  pushType: 0,
  appPackageName: 'com.example',
  biTag: '4503599627370497.1.9',
  requestId: '157000000000000000000006',
  deliveryStatus: { result, timestamp: AT },
  ...change,
});
const receipt = { token: 't1', reference: '4503599627370497.1.9', at: new Date(AT) };
const read = (...statuses: readonly unknown[]) => huaweiReceipts({ statuses });

describe('a callback from Huawei', () => {
  const kinds = [
    ['delivered', [0]],
    ['token-dead', [2, 5]],
    ['pending', [27, 51]],
    ['failed', [6, 10, 14, 15, 22, 31, 102, 144, 188, 191, 201, 256, 259, 9_999]],
  ] as const;
  for (const [kind, states] of kinds) {
    for (const state of states) {
      test(`with status ${state} means ${kind} in both versions`, () => {
        const expected = [{ ...receipt, kind, code: String(state) }];
        assert.deepEqual(read(v1({ status: state })), expected);
        assert.deepEqual(read(v1({ status: String(state) })), expected);
        assert.deepEqual(read(v2(state)), expected);
      });
    }
  }

  test('can contain entries of both versions', () => {
    assert.deepEqual(
      read(v1(), v2(5, { token: 't2' }))?.map(({ token, kind }) => [token, kind]),
      [
        ['t1', 'delivered'],
        ['t2', 'token-dead'],
      ],
    );
    assert.deepEqual(read(), []);
  });

  test('ignores entries without a token, a Carillon reference or a status', () => {
    const odd = [
      v1({ token: undefined }),
      v1({ token: '' }),
      v1({ token: 7 }),
      v1({ biTag: undefined }),
      v1({ biTag: '' }),
      v1({ biTag: 'x'.repeat(65) }),
      v1({ status: undefined }),
      v1({ status: {} }),
      v2(null),
      null,
      'x',
      [],
    ];
    assert.deepEqual(read(...odd, v1())?.length, 1);
  });

  test('ignores the sample that the console sends', () => {
    const sample = v2(0, { biTag: 'bi**62', token: 'MsDZmCSyuS+Gd***********ZLs8Es' });
    assert.deepEqual(read(sample), []);
  });

  test('has the time 0, before every binding, if its own time is missing', () => {
    for (const timestamp of [undefined, null, 'soon', 1e300])
      assert.deepEqual(read(v1({ timestamp }))?.[0]?.at, new Date(0), `${timestamp}`);
    assert.deepEqual(read(v1({ timestamp: String(AT) }))?.[0]?.at, new Date(AT));
  });

  test('yields at most 1,000 receipts', () => {
    assert.equal(read(...Array.from({ length: 1_200 }, () => v1()))?.length, 1_000);
  });

  test('is not recognized without a list', () => {
    for (const body of [undefined, null, 'x', 7, [], {}, { statuses: {} }, { statuses: null }])
      assert.equal(huaweiReceipts(body), undefined);
  });

  test('gets the response that Huawei requires', () => {
    assert.deepEqual(huaweiReceiptReader.response, { status: 200, body: '{"code":"0","message":"success"}' });
  });
});

describe('a Huawei signature', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const userName = 'carillon';
  const key = 'c2VjcmV0LWtleS1vZi0yNC1ieXRlcw==';
  const nonce = '9d5f7d1c-0000-4000-8000-00000000000a';

  function sign(bytes: Buffer, timestamp = String(now.getTime()), separator = '; '): string {
    const value = createHmac('sha256', bytes).update(`${timestamp}${nonce}${userName}`).digest('base64');
    return [`timestamp=${timestamp}`, `nonce=${nonce}`, `value=${value}`].join(separator);
  }
  const asText = Buffer.from(key);
  const asBase64 = Buffer.from(key, 'base64');
  const isGood = (header: string, secret = key) => isSignedByHuawei(header, userName, secret, now);

  test('is valid whether the key is used as a string or decoded from base64', () => {
    assert.ok(isGood(sign(asText)));
    assert.ok(isGood(sign(asBase64)));
    assert.ok(isGood(sign(asText, undefined, ';')));
    assert.ok(isGood(sign(Buffer.from('no base64!')), 'no base64!'));
  });

  test('is valid if computed by OpenSSL', () => {
    // openssl dgst -sha256 -hmac key, over 1794744000000 + n + u.
    const header = 'timestamp=1794744000000; nonce=n; value=RrVMRYJlJHQxD2SDQOP1klWlSVQERAY3fKdMlZCBjko=';
    assert.ok(isSignedByHuawei(header, 'u', 'key', new Date(1_794_744_000_000)));
  });

  test('is valid within five minutes, with a timestamp in milliseconds or seconds', () => {
    const at = (ms: number, inSeconds = false) => String(Math.floor((now.getTime() + ms) / (inSeconds ? 1_000 : 1)));
    for (const ms of [-300_000, 0, 300_000]) {
      assert.ok(isGood(sign(asText, at(ms))), `${ms}`);
      assert.ok(isGood(sign(asText, at(ms, true))), `${ms} in seconds`);
    }
    for (const ms of [-300_001, 300_001]) assert.ok(!isGood(sign(asText, at(ms))), `${ms}`);
    for (const ms of [-301_000, 301_000]) assert.ok(!isGood(sign(asText, at(ms, true))), `${ms} in seconds`);
  });

  test('is invalid if any part of it, the key or the user name differs', () => {
    const good = sign(asText);
    for (const bad of [
      '',
      'x',
      good.replace(nonce, 'other'),
      good.replace(/timestamp=\d/, 'timestamp=2'),
      good.replace('timestamp', 'time'),
      good.replace(/value=.*/, 'value='),
      good.replace(/value=.*/, 'value=AAAA'),
      sign(Buffer.from('other')),
      sign(Buffer.alloc(0)),
    ])
      assert.ok(!isGood(bad), bad);
    assert.ok(!isSignedByHuawei(good, 'other', key, now));
  });

  test('is invalid if the key is empty or decodes to nothing', () => {
    for (const empty of ['', '=', '!!!', 'a', '====']) assert.ok(!isGood(sign(Buffer.alloc(0)), empty), empty);
  });

  test('is read from the x-huawei-callback-id header', () => {
    const isSigned = (headers: Record<string, unknown>) =>
      huaweiReceiptReader.isSigned?.(headers, { userName, key }, now);
    assert.equal(isSigned({ 'x-huawei-callback-id': sign(asBase64) }), true);
    assert.equal(isSigned({ 'x-huawei-callback-id': [sign(asBase64)] }), false);
    assert.equal(isSigned({}), false);
  });
});
