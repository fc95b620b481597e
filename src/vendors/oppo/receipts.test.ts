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

describe('a callback from OPPO', () => {
  const kinds = [
    ['delivered', 'push_arrive'],
    ['token-dead', 'regid_invalid'],
    ['failed', 'user_daily_limit'],
    ['failed', 'something_new'],
  ] as const;
  for (const [kind, eventType] of kinds)
    test(`with ${eventType} means ${kind}`, () => {
      // A token that is reported as dead may belong to another app.
      const suspectMark = kind === 'token-dead' ? { suspect: true } : {};
      assert.deepEqual(oppoReceipts([event({ eventType })]), [{ ...receipt, kind, code: eventType, ...suspectMark }]);
    });

  test('can contain several events with several tokens each, even with spaces between the tokens', () => {
    const receipts = oppoReceipts([event({ registrationIds: 'CN_a, CN_b,' }), event({ registrationIds: 'CN_c' })]);
    assert.deepEqual(
      receipts?.map(({ token }) => token),
      ['CN_a', 'CN_b', 'CN_c'],
    );
    assert.deepEqual(oppoReceipts([]), []);
  });

  test('ignores events without a token, a Carillon reference or a type', () => {
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

  test('has the time 0, before every binding, if its own time is missing', () => {
    assert.deepEqual(oppoReceipts([event({ eventTime: undefined })])?.[0]?.at, new Date(0));
  });

  test('yields at most 1,000 receipts', () => {
    const registrationIds = Array.from({ length: 700 }, (_, i) => `t${i}`).join(',');
    assert.equal(oppoReceipts([event({ registrationIds }), event({ registrationIds })])?.length, 1_000);
  });

  test('is not recognized if it is not a list', () => {
    for (const body of [undefined, null, 'x', {}, { data: [] }, 7]) assert.equal(oppoReceipts(body), undefined);
  });

  test('gets a response with status 200', () => assert.equal(oppoReceiptReader.response.status, 200));
});
