import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { oppoReceiptReader, oppoReceipts } from './receipts.ts';

const AT = 1_700_000_000_456;
const reference = '4503599627370497.1.9';
const event = (change: object = {}) => ({
  messageId: '3-1-1-a',
  appId: '30000001',
  taskId: '0000',
  registrationIds: 'CN_a',
  eventTime: String(AT),
  param: reference,
  eventType: 'push_arrive',
  ...change,
});
const receipt = { token: 'CN_a', reference, at: new Date(AT) };

describe('a callback of OPPO', () => {
  const kinds = [
    ['delivered', 'push_arrive'],
    ['token-dead', 'regid_invalid'],
    ['failed', 'user_daily_limit'],
    ['failed', 'something_new'],
  ] as const;
  for (const [kind, eventType] of kinds)
    test(`with ${eventType} says ${kind}`, () => {
      // A token that is reported as dead may belong to another app.
      const suspectMark = kind === 'token-dead' ? { suspect: true } : {};
      assert.deepEqual(oppoReceipts([event({ eventType })]), [{ ...receipt, kind, code: eventType, ...suspectMark }]);
    });

  test('is read event by event and token by token, with spaces between them', () => {
    const receipts = oppoReceipts([event({ registrationIds: 'CN_a, CN_b,' }), event({ registrationIds: 'CN_c' })]);
    assert.deepEqual(
      receipts?.map(({ token }) => token),
      ['CN_a', 'CN_b', 'CN_c'],
    );
    assert.deepEqual(oppoReceipts([]), []);
  });

  test('loses what names nobody, or nothing of ours', () => {
    const odd = [
      event({ registrationIds: undefined }),
      event({ registrationIds: ' ' }),
      event({ param: undefined }),
      event({ param: 'x'.repeat(65) }),
      event({ eventType: undefined }),
      event({ eventType: 'not a word' }),
      null,
      'x',
      [],
    ];
    assert.equal(oppoReceipts([...odd, event()])?.length, 1);
  });

  test('without a time is of a time at which no binding was made', () => {
    assert.deepEqual(oppoReceipts([event({ eventTime: undefined })])?.[0]?.at, new Date(0));
  });

  test('is read up to a thousand tokens', () => {
    const registrationIds = Array.from({ length: 700 }, (_, i) => `t${i}`).join(',');
    assert.equal(oppoReceipts([event({ registrationIds }), event({ registrationIds })])?.length, 1_000);
  });

  test('is none when it is no list', () => {
    for (const body of [undefined, null, 'x', {}, { data: [] }, 7]) assert.equal(oppoReceipts(body), undefined);
  });

  test('is answered with 200', () => assert.equal(oppoReceiptReader.response.status, 200));
});
