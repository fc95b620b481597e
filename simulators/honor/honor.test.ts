import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { bodyOf as huaweiBody } from '../huawei/test-sender.ts';
import { HttpsClient } from '../kit/test-client.ts';
import type { BearerSender, MessageChange } from '../kit/test-sender.ts';
import { type HonorSimulator, startHonorSimulator } from './simulator.ts';
import { openHonorSender, requestToken } from './test-sender.ts';

const OTHER = { app_id: '5', client_id: 'other', client_secret: 'other' };
let simulator: HonorSimulator;
let client: HttpsClient;
let sender: BearerSender;
before(async () => {
  simulator = await startHonorSimulator();
  client = new HttpsClient(simulator.caPem);
  sender = await openHonorSender(simulator);
  const response = await fetch(`${simulator.controlUrl}/apps`, { method: 'POST', body: JSON.stringify(OTHER) });
  assert.equal(response.status, 204);
});
after(async () => {
  await client[Symbol.asyncDispose]();
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

/** Change that makes a message data-only. */
const silent = { android: { notification: undefined } };
const many = (count: number) => Array.from({ length: count }, (_, index) => `live-${index}`);
const style = (notification: object) => ({ notification });
const at = (ms: number) => ({ headers: { timestamp: String(ms) } });

describe('requests that both Honor and the Honor simulator reject', () => {
  const minutes = 60_000;
  const refusals: readonly (readonly [string, MessageChange, number, number])[] = [
    ['a body for Huawei', { body: JSON.stringify(huaweiBody({})) }, 400, 80100003],
    ['names in snake_case', { notification: { click_action: { type: 3 } } }, 400, 80100003],
    ['a bi_tag', { android: { bi_tag: 'x' } }, 400, 80100003],
    ['a body that is not JSON', { body: 'data' }, 400, 80100003],
    ['a body with another content type', { headers: { 'content-type': 'text/plain' } }, 400, 80100003],
    ['no timestamp', { headers: { timestamp: '' } }, 400, 80100001],
    ['a timestamp in seconds', at(Math.floor(Date.now() / 1000)), 400, 80100001],
    ['a timestamp with a fraction', at(Date.now() + 0.5), 400, 80100001],
    ['a timestamp six minutes in the past', at(Date.now() - 6 * minutes), 400, 80100001],
    ['a timestamp six minutes in the future', at(Date.now() + 6 * minutes), 400, 80100001],
    ['no tokens', { message: { token: undefined } }, 400, 80300010],
    ['an empty list of tokens', { tokens: [] }, 400, 80300010],
    ['1001 tokens', { tokens: many(1001) }, 400, 80300010],
    ['a token that is not a list', { message: { token: 'live-1' } }, 400, 80100003],
    ['a message that is too large', { notification: { body: 'x'.repeat(4096) } }, 400, 80300008],
    ['a notification without a title', { notification: { title: undefined } }, 400, 80100001],
    ['a notification without a body', { notification: { body: '' } }, 400, 80100001],
    ['a notification without a click action', { notification: { clickAction: undefined } }, 400, 80100001],
    ['a click action without a page', { notification: { clickAction: { type: 1 } } }, 400, 80100001],
    [
      'a click action with a plain HTTP URL',
      { notification: { clickAction: { type: 2, url: 'http://x.io' } } },
      400,
      80100001,
    ],
    ['neither data nor notification', { ...silent, message: { data: undefined } }, 400, 80100001],
    ['non-JSON data next to a notification', { message: { data: 'hello' } }, 400, 80100001],
    ['an unknown style', style({ style: 3 }), 400, 80100001],
    ['the big-text style without a title', style({ style: 1, bigBody: 'b' }), 400, 80100001],
    ['the big-text style without a body', style({ style: 1, bigTitle: 't' }), 400, 80100001],
    ['a badge without a class', { notification: { badge: { addNum: 1 } } }, 400, 80100001],
    ['a badge that adds 0', { notification: { badge: { addNum: 0, badgeClass: 'M' } } }, 400, 80100001],
    ['a badge of 100', { notification: { badge: { setNum: 100, badgeClass: 'M' } } }, 400, 80100001],
    ['a picture with a plain HTTP URL', { notification: { image: 'http://example.com/a.png' } }, 400, 80100001],
    ['a sound', { notification: { sound: '/raw/bell' } }, 400, 80100003],
    ['a channel', { notification: { channelId: 'news' } }, 400, 80100003],
    ['an unknown importance', { notification: { importance: 'HIGH' } }, 400, 80100001],
    ['a time to live in hours', { android: { ttl: '1h' } }, 400, 80100001],
    ['a time to live longer than 15 days', { android: { ttl: '1296001s' } }, 400, 80100001],
    ['an unknown targetUserType', { android: { targetUserType: 2 } }, 400, 80100001],
  ];
  for (const [what, change, status, code] of refusals) {
    test(`${what} returns ${status} ${code}`, async () => {
      const before = simulator.arrived().length;
      const result = await sender.send(change);
      assert.deepEqual([result.status, result.json?.code, result.json?.data], [status, code, null], result.text);
      assert.equal(simulator.arrived().length, before);
    });
  }

  test('returns 404 for another path and 405 for another method', async () => {
    for (const path of [`/v1/${simulator.app.appId}/messages:send`, '/auth/token']) {
      assert.equal((await sender.send({ path })).status, 404);
    }
    assert.equal((await sender.send({ method: 'PUT' })).status, 405);
  });
});

describe('requests that both Honor and the Honor simulator accept', () => {
  const good: readonly (readonly [string, MessageChange])[] = [
    ['a notification with data', {}],
    ['only data, even if it is not JSON', { ...silent, message: { data: 'hello' } }],
    ['1000 tokens', { tokens: many(1000) }],
    ['big text', style({ style: 1, bigTitle: 't', bigBody: 'b' })],
    ['a badge of 0', { notification: { badge: { setNum: 0, badgeClass: 'M' } } }],
    ['a page', { notification: { clickAction: { type: 1, intent: 'intent://x#Intent;end' } } }],
    ['a picture', { notification: { image: 'https://example.com/a.png' } }],
    ['a timestamp four minutes in the past', at(Date.now() - 240_000)],
  ];
  for (const [what, change] of good) {
    test(what, async () => {
      const { status, json, text } = await sender.send(change);
      assert.deepEqual([status, json.code, json.data.sendResult], [200, 200, true], text);
      assert.match(json.data.requestId, /^[0-9a-f]{32}$/);
    });
  }
});

describe('rejected tokens of the Honor simulator', () => {
  test('are returned in two lists, and the other tokens are reached', async () => {
    const { json } = await sender.send({ tokens: ['live-1', 'dead-1', 'fail-1', 'nobody'] });
    const { requestId: _id, ...data } = json.data;
    const lists = { failTokens: ['fail-1'], expireTokens: ['dead-1', 'nobody'] };
    assert.deepEqual([json.code, data], [200, { sendResult: true, ...lists }]);
  });

  test('set sendResult to false if no token is reached', async () => {
    const { status, json } = await sender.send({ tokens: ['dead-1', 'fail-1'] });
    assert.deepEqual([status, json.data.sendResult], [200, false]);
  });

  test('include tokens over the daily marketing limit', async () => {
    await using capped = await startHonorSimulator({ marketingPerDayMax: 2 });
    await using advertiser = await openHonorSender(capped);
    const advertise = () => advertiser.send({ tokens: ['live-1'], notification: { importance: 'LOW' } });
    await advertise();
    await advertise();
    assert.deepEqual((await advertise()).json.data.failTokens, ['live-1']);
    assert.deepEqual((await advertiser.send()).json.data.failTokens, []);
    assert.equal(capped.arrived().length, 3);
  });
});

test('records the body of a delivery without the tokens', async () => {
  const { json } = await sender.send({ tokens: ['live-logged', 'live-other'], ...silent });
  const [{ at: atMs, ...arrival } = { at: 0 }] = simulator.arrived('live-logged');
  assert.ok(Date.now() - atMs < 10_000);
  assert.deepEqual(arrival, {
    vendor: 'honor',
    app_id: '104400001',
    token: 'live-logged',
    request_id: json.data.requestId,
    tokens: 2,
    body: { data: '{"mid":"7"}', android: { ttl: '3600s', biTag: 'task-7', targetUserType: 0 } },
  });
});

describe('token endpoint of the Honor simulator', () => {
  const older = '/auth/realms/developer/protocol/openid-connect/token';
  test('issues a token that is valid for an hour, at both the current and the older path', async () => {
    for (const path of ['/auth/token', older]) {
      const { status, json } = await requestToken(client, simulator, {}, path);
      assert.deepEqual([status, json.expires_in, json.token_type], [200, 3600, 'Bearer']);
      const headers = { authorization: `Bearer ${json.access_token}` };
      assert.equal((await sender.send({ headers })).status, 200);
    }
  });

  const refusals: readonly (readonly [string, Readonly<Record<string, string>>, number, string])[] = [
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown client', { client_id: 'x' }, 401, 'invalid_client'],
    ['the app id as the client id', { client_id: '104400001' }, 401, 'invalid_client'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'unauthorized_client'],
  ];
  for (const [what, change, status, error] of refusals) {
    test(`rejects ${what}: ${error}`, async () => {
      const result = await requestToken(client, simulator, change);
      assert.deepEqual([result.status, result.json.error], [status, error]);
    });
  }

  test('rejects another path and a body that is not a form', async () => {
    assert.equal((await requestToken(client, simulator, {}, '/oauth2/v3/token')).status, 404);
    const json = { 'content-type': 'application/json' };
    assert.equal((await client.post(`${simulator.tokenUrl}/auth/token`, '{}', json)).status, 400);
  });
});

describe('access token at the Honor simulator', () => {
  test('is rejected if it is missing, unknown or issued to another app', async () => {
    const change = { client_id: OTHER.client_id, client_secret: OTHER.client_secret };
    const { json } = await requestToken(client, simulator, change);
    for (const authorization of ['', 'Bearer unknown', `Bearer ${json.access_token}`, json.access_token]) {
      const result = await sender.send({ headers: { authorization } });
      assert.deepEqual([result.status, result.json.code], [401, 80200001], authorization);
    }
    const own = { authorization: `Bearer ${json.access_token}` };
    assert.equal((await sender.send({ path: '/api/v1/5/sendMessage', headers: own })).status, 200);
  });

  test('expires', async () => {
    await using brief = await startHonorSimulator({ tokenLifeSeconds: 1 });
    await using hurried = await openHonorSender(brief);
    assert.equal((await hurried.send()).status, 200);
    await wait(1050);
    const { status, json } = await hurried.send();
    assert.deepEqual([status, json.code], [401, 80200003]);
  });
});
