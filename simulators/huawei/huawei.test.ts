import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BearerSender, MessageChange } from '../kit/test-sender.ts';
import { type HuaweiSimulator, startHuaweiSimulator } from './simulator.ts';
import { openHuaweiSender } from './test-sender.ts';

let simulator: HuaweiSimulator;
let sender: BearerSender;
before(async () => {
  simulator = await startHuaweiSimulator();
  sender = await openHuaweiSender(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

/** Change that makes a message data-only. */
const silent = { android: { notification: undefined } };
const many = (count: number) => Array.from({ length: count }, (_, index) => `live-${index}`);
const deep = `{"message":{"apns":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
const style = (notification: object) => ({ notification });

describe('requests that both Huawei and the Huawei simulator reject', () => {
  const refusals: readonly (readonly [string, MessageChange, number, string])[] = [
    ['no message', { body: '{"validate_only":false}' }, 400, '80100003'],
    ['a misspelled message key', { body: '{"mesage":{}}' }, 400, '80100003'],
    ['a body that is not JSON', { body: 'message' }, 400, '80100003'],
    ['a body that is a list', { body: '[]' }, 400, '80100003'],
    ['a body with another content type', { headers: { 'content-type': 'text/plain' } }, 400, '80100003'],
    ['a deeply nested body', { body: deep }, 400, '80100003'],
    ['an unknown key in message', { message: { tokens: ['live-1'] } }, 400, '80100003'],
    ['an unknown key in android', { android: { biTag: 'x' } }, 400, '80100003'],
    ['an unknown key in the notification', { notification: { clickAction: {} } }, 400, '80100003'],
    ['a token that is not a list', { message: { token: 'live-1' } }, 400, '80100003'],
    ['an empty token', { tokens: [''] }, 400, '80100001'],
    ['no target', { message: { token: undefined } }, 400, '80300010'],
    ['an empty list of tokens', { tokens: [] }, 400, '80300010'],
    ['1001 tokens', { tokens: many(1001) }, 400, '80300010'],
    ['two targets', { message: { topic: 'news' } }, 400, '80100001'],
    ['a message that is too large', { notification: { body: 'x'.repeat(4096) } }, 400, '80300008'],
    ['a notification without a title', { notification: { title: undefined } }, 400, '80100001'],
    ['a notification without a body', { notification: { body: '' } }, 400, '80100001'],
    ['a notification without a click action', { notification: { click_action: undefined } }, 400, '80100001'],
    ['a click action without a page', { notification: { click_action: { type: 1 } } }, 400, '80100001'],
    ['a click action without a URL', { notification: { click_action: { type: 2 } } }, 400, '80100001'],
    [
      'a click action with a plain HTTP URL',
      { notification: { click_action: { type: 2, url: 'http://x.io' } } },
      400,
      '80100001',
    ],
    ['an unknown click action', { notification: { click_action: { type: 4 } } }, 400, '80100001'],
    ['neither data nor notification', { ...silent, message: { data: undefined } }, 400, '80100001'],
    ['non-JSON data next to a notification', { message: { data: 'hello' } }, 400, '80100001'],
    ['an unknown style', style({ style: 2 }), 400, '80100001'],
    ['the big-text style without a title', style({ style: 1, big_body: 'b' }), 400, '80100001'],
    ['the big-text style without a body', style({ style: 1, big_title: 't' }), 400, '80100001'],
    ['the inbox style without lines', style({ style: 3 }), 400, '80100001'],
    ['the inbox style with six lines', style({ style: 3, inbox_content: ['', '', '', '', '', ''] }), 400, '80100001'],
    ['a badge without a class', { notification: { badge: { add_num: 1 } } }, 400, '80100001'],
    ['a badge that adds 0', { notification: { badge: { add_num: 0, class: 'M' } } }, 400, '80100001'],
    ['a badge that adds 100', { notification: { badge: { add_num: 100, class: 'M' } } }, 400, '80100001'],
    ['a badge of 100', { notification: { badge: { set_num: 100, class: 'M' } } }, 400, '80100001'],
    ['a badge that is a string', { notification: { badge: { set_num: '7', class: 'M' } } }, 400, '80100003'],
    ['a picture with a plain HTTP URL', { notification: { image: 'http://example.com/a.png' } }, 400, '80100001'],
    ['a sound that is not a resource', { notification: { sound: 'bell' } }, 400, '80100001'],
    ['an unknown importance', { notification: { importance: 'HIGH' } }, 400, '80100001'],
    ['a color name', { notification: { color: 'red' } }, 400, '80100001'],
    ['a notify id that is a string', { notification: { notify_id: '7' } }, 400, '80100003'],
    ['four buttons', { notification: { buttons: Array(4).fill({ name: 'a', action_type: 0 }) } }, 400, '80100001'],
    ['a time to live that is a number', { android: { ttl: 3600 } }, 400, '80100003'],
    ['a time to live in hours', { android: { ttl: '1h' } }, 400, '80100001'],
    ['a time to live longer than 15 days', { android: { ttl: '1296001s' } }, 400, '80100001'],
    ['a collapse key greater than 100', { android: { collapse_key: 101 } }, 400, '80100013'],
    ['a collapse key that is a string', { android: { collapse_key: 'news' } }, 400, '80100013'],
    ['an unknown category', { android: { category: 'NEWS' } }, 400, '80100001'],
    ['a PLAY_VOICE category with a notification', { android: { category: 'PLAY_VOICE' } }, 400, '80100001'],
    ['a high urgency without permission', { android: { notification: undefined, urgency: 'HIGH' } }, 400, '80300011'],
    ['an unknown target_user_type', { android: { target_user_type: 2 } }, 400, '80100001'],
    ['a bi_tag of 65 characters', { android: { bi_tag: 'x'.repeat(65) } }, 400, '80100001'],
  ];
  for (const [what, change, status, code] of refusals) {
    test(`${what} returns ${status} ${code}`, async () => {
      const before = simulator.arrived().length;
      const result = await sender.send(change);
      assert.deepEqual([result.status, result.json?.code], [status, code], result.text);
      assert.match(result.json.requestId, /^\d{24}$/);
      assert.equal(simulator.arrived().length, before);
    });
  }

  test('returns 404 for another path and 405 for another method', async () => {
    for (const path of ['/v3/1/messages:send', `/v1/${simulator.app.appId}/messages`, '/oauth2/v3/token']) {
      assert.equal((await sender.send({ path })).status, 404);
    }
    assert.equal((await sender.send({ method: 'PUT' })).status, 405);
  });
});

describe('requests that both Huawei and the Huawei simulator accept', () => {
  const good: readonly (readonly [string, MessageChange])[] = [
    ['a notification with data', {}],
    ['only data, even if it is not JSON', { ...silent, message: { data: 'hello' } }],
    ['1000 tokens', { tokens: many(1000) }],
    ['big text', style({ style: 1, big_title: 't', big_body: 'b' })],
    [
      'a title in the notification for all systems',
      { message: { notification: { title: 'T' } }, notification: { title: undefined } },
    ],
    ['a badge of 0', { notification: { badge: { set_num: 0, class: 'M' } } }],
    ['a badge of 99', { notification: { badge: { set_num: 99, class: 'M' } } }],
    ['a time to live of 15 days with an upper-case S', { android: { ttl: '1296000S' } }],
    ['a page', { notification: { click_action: { type: 1, intent: 'intent://x#Intent;end' } } }],
    ['a picture', { notification: { image: 'https://example.com/a.png' } }],
    ['a sound', { notification: { sound: '/raw/bell', default_sound: false } }],
    ['a collapse key', { android: { collapse_key: -1 } }],
    ['the path with the project id', { path: '/v2/736430079244000001/messages:send' }],
  ];
  for (const [what, change] of good) {
    test(what, async () => {
      const { status, json, text } = await sender.send(change);
      assert.deepEqual([status, json.code, json.msg], [200, '80000000', 'Success'], text);
    });
  }

  test('a validate_only message, which is not delivered', async () => {
    const before = simulator.arrived().length;
    const body = JSON.stringify({
      validate_only: true,
      message: { data: 'x', token: ['live-validated', 'dead-1'] },
    });
    assert.equal((await sender.send({ body })).json.code, '80000000');
    assert.equal(simulator.arrived().length, before);
    const wrong = JSON.stringify({ validate_only: true, message: { token: ['live-1'] } });
    assert.equal((await sender.send({ body: wrong })).json.code, '80100001');
  });
});

describe('invalid tokens at the Huawei simulator', () => {
  test('are listed in a JSON string if other tokens are valid', async () => {
    const { status, json } = await sender.send({ tokens: ['live-1', 'dead-1', 'fail-1', 'dead-2'] });
    assert.deepEqual([status, json.code], [200, '80100000']);
    assert.deepEqual(JSON.parse(json.msg), { success: 2, failure: 2, illegal_tokens: ['dead-1', 'dead-2'] });
  });

  test('are reported with a separate code if all tokens are invalid', async () => {
    const { status, json } = await sender.send({ tokens: ['dead-1', 'nobody'] });
    assert.deepEqual([status, json.code], [400, '80300007']);
  });
});

test('records the body of a delivery without the tokens', async () => {
  const { json } = await sender.send({ tokens: ['live-logged', 'live-other'], ...silent });
  const [{ at, ...arrival } = { at: 0 }] = simulator.arrived('live-logged');
  assert.ok(Date.now() - at < 10_000);
  assert.deepEqual(arrival, {
    vendor: 'huawei',
    app_id: '100000001',
    token: 'live-logged',
    request_id: json.requestId,
    tokens: 2,
    body: { validate_only: false, message: { data: '{"mid":"7"}', android: { ttl: '3600s', bi_tag: 'task-7' } } },
  });
});

test('returns 503 with Retry-After if the number of devices per second exceeds the limit', async () => {
  await using slow = await startHuaweiSimulator({ devicesPerSecondMax: 3 });
  await using eager = await openHuaweiSender(slow);
  assert.equal((await eager.send({ tokens: many(3) })).status, 200);
  const { status, headers } = await eager.send({ tokens: many(3) });
  assert.deepEqual([status, headers['retry-after']], [503, '7']);
  assert.equal(slow.arrived().length, 3);
});
