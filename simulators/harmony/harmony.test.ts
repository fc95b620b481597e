import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type HarmonySimulator, startHarmonySimulator } from './simulator.ts';
import { dataOnly, type HarmonyChange, HarmonySender } from './test-sender.ts';

let simulator: HarmonySimulator;
let sender: HarmonySender;
before(async () => {
  simulator = await startHarmonySimulator();
  sender = new HarmonySender(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

const many = (count: number) => Array.from({ length: count }, (_, index) => `live-${index}`);
const change = (notification: object): HarmonyChange => ({ notification });
const options = (pushOptions: object): HarmonyChange => ({ pushOptions });

describe('requests that both Push Kit and the HarmonyOS simulator reject', () => {
  const refusals: readonly (readonly [string, HarmonyChange, string])[] = [
    ['no push-type', { headers: { 'push-type': undefined } }, '80100001'],
    ['an unsupported push-type', { headers: { 'push-type': '7' } }, '80100001'],
    ['a notification with the push-type of data', { headers: { 'push-type': '6' } }, '80100003'],
    ['data with the push-type of a notification', { payload: { extraData: 'x' } }, '80100003'],
    ['empty data', { ...dataOnly, payload: { extraData: '' } }, '80100001'],
    ['no payload', { message: { payload: undefined } }, '80100001'],
    ['no target', { message: { target: undefined } }, '80100001'],
    ['a body that is not JSON', { body: 'message' }, '80100003'],
    ['a body that is a list', { body: '[]' }, '80100003'],
    ['a body in the format for Android', { body: '{"message":{"token":["live-1"]}}' }, '80100003'],
    ['a body with another content type', { headers: { 'content-type': 'text/plain' } }, '80100003'],
    ['an unknown key in the notification', change({ click_action: {} }), '80100003'],
    ['a token that is not a string', { tokens: [7] }, '80100003'],
    ['an empty token', { tokens: [''] }, '80100001'],
    ['an empty list of tokens', { tokens: [] }, '80300010'],
    ['1001 tokens', { tokens: many(1001) }, '80300010'],
    ['a message that is too large', change({ body: 'x'.repeat(4096) }), '80300008'],
    ['no category', change({ category: undefined }), '80100001'],
    ['an unknown category', change({ category: 'NEWS' }), '80100001'],
    ['the category PLAY_VOICE, which has another push-type', change({ category: 'PLAY_VOICE' }), '80100001'],
    ['no title', change({ title: undefined }), '80100001'],
    ['an empty body', change({ body: '' }), '80100001'],
    ['no click action', change({ clickAction: undefined }), '80100001'],
    ['a click action without a page', change({ clickAction: { actionType: 1 } }), '80100001'],
    ['an unknown click action', change({ clickAction: { actionType: 3 } }), '80100001'],
    ['click data that is a string', change({ clickAction: { actionType: 0, data: '{}' } }), '80100003'],
    ['the style for large text', change({ style: 1 }), '80100001'],
    ['the style for lines without lines', change({ style: 3 }), '80100001'],
    ['a badge that adds 0', change({ badge: { addNum: 0 } }), '80100001'],
    ['a badge of 100', change({ badge: { setNum: 100 } }), '80100001'],
    ['a picture with a plain HTTP URL', change({ image: 'http://example.com/a.png' }), '80100001'],
    ['a sound in a folder', change({ sound: '/raw/bell' }), '80100001'],
    ['an appMessageId with a colon', change({ appMessageId: 'a:b' }), '80100001'],
    ['an appMessageId of 65 characters', change({ appMessageId: 'x'.repeat(65) }), '80100001'],
    ['a negative notifyId', change({ notifyId: -1 }), '80100001'],
    ['a time to live that is a string', options({ ttl: '3600s' }), '80100004'],
    ['a time to live longer than 15 days', options({ ttl: 1_296_001 }), '80100004'],
    ['a collapse key greater than 100', options({ collapseKey: 101 }), '80100001'],
    ['a biTag of 65 characters', options({ biTag: 'x'.repeat(65) }), '80100001'],
    ['validate_only, which version 3 does not have', options({ validateOnly: true }), '80100003'],
    ['11 tokens in a test message', { tokens: many(11), ...options({ testMessage: true }) }, '80300030'],
  ];
  for (const [what, changes, code] of refusals)
    test(`${what} returns ${code}`, async () => {
      const before = simulator.arrived().length;
      const result = await sender.send(changes);
      assert.deepEqual([result.status, result.json?.code], [400, code], result.text);
      assert.match(result.json.requestId, /^\d{24}$/);
      assert.equal(simulator.arrived().length, before);
    });

  test('returns 404 for another path and 405 for another method', async () => {
    const { projectId } = simulator.app;
    for (const path of [`/v1/${projectId}/messages:send`, `/v3/${projectId}/messages`, '/oauth2/v3/token'])
      assert.equal((await sender.send({ path })).status, 404);
    assert.equal((await sender.send({ method: 'PUT' })).status, 405);
  });
});

describe('requests that both Push Kit and the HarmonyOS simulator accept', () => {
  const good: readonly (readonly [string, HarmonyChange])[] = [
    ['a notification', {}],
    ['data', dataOnly],
    ['1000 tokens', { tokens: many(1000) }],
    ['lines of text', change({ style: 3, inboxContent: ['a', 'b', 'c'] })],
    ['a badge of 0', change({ badge: { setNum: 0 } })],
    ['a page named by its action', change({ clickAction: { actionType: 1, action: 'com.example.page' } })],
    ['a page named by its URI', change({ clickAction: { actionType: 1, uri: 'https://example.com/a' } })],
    ['a picture', change({ image: 'https://example.com/a.png' })],
    ['a sound', change({ sound: 'bell.mp3', soundDuration: 60 })],
    ['all options', options({ ttl: 1_296_000, collapseKey: -1, receiptId: 'r', biTag: '' })],
    ['10 tokens in a test message', { tokens: many(10), ...options({ testMessage: true }) }],
  ];
  for (const [what, changes] of good)
    test(what, async () => {
      const { status, json, text } = await sender.send(changes);
      assert.deepEqual([status, json.code, json.msg], [200, '80000000', 'Success'], text);
    });
});

describe('tokens that the HarmonyOS simulator rejects', () => {
  test('are listed by reason, with blanks around the reasons, if other tokens are valid', async () => {
    const { status, json } = await sender.send({
      tokens: ['live-1', 'dead-1', 'foreign-1', 'reason-countryNotSupport-1', 'dead-2'],
    });
    assert.deepEqual([status, json.code], [200, '80100000']);
    assert.deepEqual(JSON.parse(json.msg), {
      illegalTokens: {
        'tokenFormatError ': ['dead-1', 'dead-2'],
        'noRight ': ['foreign-1'],
        'countryNotSupport ': ['reason-countryNotSupport-1'],
      },
      success: 1,
      failure: 4,
    });
  });

  test('are reported with a separate code and without a number of accepted tokens if all are rejected', async () => {
    const { status, json } = await sender.send({ tokens: ['nobody'] });
    assert.deepEqual([status, json.code], [400, '80300007']);
    assert.deepEqual(JSON.parse(json.msg), { illegalTokens: { 'tokenFormatError ': ['nobody'] }, failure: 1 });
  });
});

test('records the body of a delivery without the tokens', async () => {
  const { json } = await sender.send({ ...dataOnly, tokens: ['live-logged', 'live-other'] });
  const [{ at, ...arrival } = { at: 0 }] = simulator.arrived('live-logged');
  assert.ok(Date.now() - at < 10_000);
  assert.deepEqual(arrival, {
    vendor: 'harmony',
    app_id: '736430079244000101',
    token: 'live-logged',
    request_id: json.requestId,
    push_type: 6,
    tokens: 2,
    body: { payload: { extraData: '{"mid":"7"}' }, target: {}, pushOptions: { ttl: 3600, biTag: 'task-7' } },
  });
});

test('displays only the first notification with the same appMessageId', async () => {
  const send = (appMessageId: string) => sender.send({ tokens: ['live-repeat'], notification: { appMessageId } });
  for (const id of ['1', '1', '2']) assert.equal((await send(id)).json.code, '80000000');
  assert.equal(simulator.arrived('live-repeat').length, 2);
});

test('returns 503 with Retry-After if the number of devices per second exceeds the limit', async () => {
  await using slow = await startHarmonySimulator({ devicesPerSecondMax: 3 });
  await using eager = new HarmonySender(slow);
  assert.equal((await eager.send({ tokens: many(3) })).status, 200);
  const { status, headers } = await eager.send({ tokens: many(3) });
  assert.deepEqual([status, headers['retry-after']], [503, '7']);
  assert.equal(slow.arrived().length, 3);
});

describe('the revoke endpoint of the HarmonyOS simulator', () => {
  test('records which notifications were recalled from which phones', async () => {
    const { status, json } = await sender.revoke({ notifyId: 7, token: ['live-1', 'live-2'] });
    assert.deepEqual([status, json.code], [200, '80000000']);
    const response = await fetch(`${simulator.controlUrl}/revoked`);
    const { revoked } = (await response.json()) as {
      revoked: { token: string; notify_id: number; client_id: string }[];
    };
    assert.deepEqual(
      revoked.map(({ token, notify_id, client_id }) => [token, notify_id, client_id]),
      ['live-1', 'live-2'].map((token) => [token, 7, '100000101']),
    );
    assert.deepEqual(simulator.revoked(), revoked);
  });

  const refusals: readonly (readonly [string, object, HarmonyChange, string])[] = [
    ['no notifyId', { token: ['live-1'] }, {}, '80100001'],
    ['no tokens', { notifyId: 7, token: [] }, {}, '80300010'],
    ['a token that is not in a list', { notifyId: 7, token: 'live-1' }, {}, '80100003'],
    ['the push-type of data', { notifyId: 7, token: ['live-1'] }, { headers: { 'push-type': '6' } }, '80100001'],
    [
      'the project ID instead of the Client ID',
      { notifyId: 7, token: ['live-1'] },
      { path: '/v1/736430079244000101/messages:revoke' },
      '80200001',
    ],
  ];
  for (const [what, body, changes, code] of refusals)
    test(`rejects ${what} with ${code}`, async () => {
      assert.equal((await sender.revoke(body, changes)).json.code, code);
    });
});
