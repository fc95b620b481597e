import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HttpsClient } from '../kit/test-client.ts';
import { startVivoSimulator, type VivoSimulator } from './simulator.ts';
import { type MessageChange, requestToken, VivoSender } from './test-sender.ts';

let simulator: VivoSimulator;
let sender: VivoSender;
before(async () => {
  simulator = await startVivoSimulator();
  sender = await VivoSender.open(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

const many = (count: number) => Array.from({ length: count }, (_, index) => `live-${index}`);
const control = (path: string, body: object, { controlUrl } = simulator) =>
  fetch(controlUrl + path, { method: 'POST', body: JSON.stringify(body) });

const timed = (change: object) => ({
  message: {
    timedDisplay: {
      ...{ showStartTime: 1_794_744_000_000, showEndTime: 1_794_747_600_000, overtimeDisplay: false },
      ...change,
    },
  },
});

describe('requests that both vivo and the vivo simulator reject', () => {
  const refusals: readonly (readonly [string, MessageChange, number])[] = [
    ['no token', { headers: { authToken: '' } }, 10000],
    ['an unknown token', { headers: { authToken: 'unknown' } }, 10000],
    ['an AppID that does not match the token', { message: { appId: 5 } }, 10094],
    ['a body that is not JSON', { body: 'message' }, 10800],
    ['a body with another content type', { headers: { 'content-type': 'text/plain' } }, 10800],
    ['an unknown key', { message: { subtitle: 'x' } }, 10800],
    ['no regId', { message: { regId: undefined } }, 10050],
    ['a notifyType of 5', { message: { notifyType: 5 } }, 10054],
    ['no title', { message: { title: '' } }, 10055],
    ['a title of 41 characters', { message: { title: '钟'.repeat(41) } }, 10056],
    ['no body', { message: { content: undefined } }, 10057],
    ['a body of 101 characters', { message: { content: 'x'.repeat(101) } }, 10058],
    ['59 seconds', { message: { timeToLive: 59 } }, 10059],
    ['an unknown skipType', { message: { skipType: 5 } }, 10060],
    ['a skipType without a page', { message: { skipType: 4 } }, 10060],
    ['a networkType of 2', { message: { networkType: 2 } }, 10065],
    ['a number in the custom map', { message: { clientCustomMap: { a: 1 } } }, 10067],
    ['1025 characters in the custom map', { message: { clientCustomMap: { a: 'x'.repeat(1024) } } }, 10067],
    ['a display time that is not an object', { message: { timedDisplay: 1_794_744_000_000 } }, 10800],
    ['a display time without an end', { message: { timedDisplay: { showStartTime: 1_794_744_000_000 } } }, 10800],
    ['a display end before the start', timed({ showEndTime: 1_794_743_999_999 }), 10800],
    ['a display end in seconds', timed({ showEndTime: 1_794_747_600 }), 10800],
    ['a display end that is a string', timed({ showEndTime: '1794747600000' }), 10800],
    ['an overtimeDisplay of 0', timed({ overtimeDisplay: 0 }), 10800],
    ['an unknown key in the display time', timed({ overTimeDisplay: false }), 10800],
    ['an addBadge of 1', { message: { addBadge: 1 } }, 10800],
    ['a notifyId of 0', { message: { notifyId: 0 } }, 10095],
    ['a lower-case category', { message: { category: 'im' } }, 10096],
    ['a system category in an operational message', { message: { category: 'IM', classification: 0 } }, 10097],
    ['an operational category in a system message', { message: { category: 'NEWS', classification: 1 } }, 10097],
    ['a body that consists only of digits', { message: { content: '123' } }, 10104],
    ['a test title in production', { message: { title: 'Test' } }, 10104],
    ['an unknown key in extra', { message: { extra: { param: 'x' } } }, 10304],
    ['a callback of 129 characters', { message: { extra: { callback: 'x'.repeat(129) } } }, 10305],
    ['a callback.param of 193 characters', { message: { extra: { 'callback.param': 'x'.repeat(193) } } }, 10306],
    ['no requestId', { message: { requestId: undefined } }, 10352],
    ['a requestId of 65 characters', { message: { requestId: 'x'.repeat(65) } }, 10353],
  ];
  for (const [what, change, code] of refusals) {
    test(`${what} returns ${code}`, async () => {
      const before = simulator.arrived().length;
      const result = await sender.send(change);
      assert.deepEqual([result.status, result.json?.result], [200, code], result.text);
      assert.equal(simulator.arrived().length, before);
    });
  }

  test('returns 404 for another path and 405 for another method', async () => {
    assert.equal((await sender.send({ path: '/message/all' })).status, 404);
    assert.equal((await sender.send({ method: 'PUT' })).status, 405);
  });
});

describe('requests that both vivo and the vivo simulator accept', () => {
  const good: readonly (readonly [string, object])[] = [
    ['a message', {}],
    ['a title and a body of the maximum length', { title: '🔔'.repeat(40), content: '钟'.repeat(100) }],
    ['a time to live of more than a day', { timeToLive: 90_000 }],
    ['a system category without a classification', { category: 'IM' }],
    ['an unlisted category', { category: 'WEATHER', classification: 1 }],
    ['a page', { skipType: 4, skipContent: 'intent:#Intent;end' }],
    ['a test body in test mode', { content: '123', pushMode: 1 }],
    ['an AppID that is a string', { appId: '100001' }],
    ['a display time', timed({}).message],
    ['a badge that is incremented', { addBadge: true }],
  ];
  for (const [what, message] of good) {
    test(what, async () => {
      const { json, text } = await sender.send({ message });
      assert.equal(json.result, 0, text);
      assert.ok(BigInt(json.taskId) > 2n ** 53n, 'taskId must exceed the safe integer range');
    });
  }
});

describe('access tokens of the vivo simulator', () => {
  const refusals: readonly (readonly [string, object, number])[] = [
    ['no AppID', { appId: undefined }, 10200],
    ['no AppKey', { appKey: '' }, 10201],
    ['another AppKey', { appKey: 'x' }, 10202],
    ['no timestamp', { timestamp: undefined }, 10203],
    ['no signature', { sign: '' }, 10204],
    ['an unknown app', { appId: 5 }, 10205],
    ['a wrong signature', { sign: 'x' }, 10206],
    ['a timestamp eleven minutes in the past', { timestamp: Date.now() - 660_000 }, 10207],
    ['a timestamp eleven minutes in the future', { timestamp: Date.now() + 660_000 }, 10207],
    ['a timestamp that is a string', { timestamp: String(Date.now()) }, 10207],
  ];
  for (const [what, change, code] of refusals) {
    test(`are not issued (error ${code}): ${what}`, async () => {
      assert.equal((await requestToken(sender.client, simulator, change)).json.result, code);
    });
  }

  test('are issued for a timestamp nine minutes in the past, and several are valid at the same time', async () => {
    const { json } = await requestToken(sender.client, simulator, { timestamp: Date.now() - 540_000 });
    assert.equal(json.result, 0);
    assert.equal((await sender.send({ headers: { authToken: json.authToken } })).json.result, 0);
    assert.equal((await sender.send()).json.result, 0);
  });

  test('are limited in rate and expire', async () => {
    await using strict = await startVivoSimulator({ authPerSecondMax: 2, tokenLifeSeconds: -1 });
    await using hurried = await VivoSender.open(strict);
    assert.equal((await hurried.send()).json.result, 10000);
    const results = [];
    for (let times = 0; times < 3; times += 1)
      results.push((await requestToken(hurried.client, strict, {})).json.result);
    assert.ok(results.includes(10093), `${results}`);
  });

  test('are rejected if they were issued to another app', async () => {
    const other = { app_id: '7', app_key: 'k', app_secret: 's' };
    assert.equal((await control('/apps', other)).status, 204);
    const app = { appId: '7', appKey: 'k', appSecret: 's' };
    const { json } = await requestToken(sender.client, { ...simulator, app }, {});
    assert.equal((await sender.send({ headers: { authToken: json.authToken } })).json.result, 10094);
  });
});

describe('token outcomes of the vivo simulator', () => {
  const states: readonly (readonly [string, number, object])[] = [
    ['nobody', 1, {}],
    ['foreign-1', 1, {}],
    ['dead-1', 2, {}],
    ['stray-1', 4, { pushMode: 1 }],
  ];
  for (const [regId, status, message] of states) {
    test(`${regId} has status ${status}`, async () => {
      const { json } = await sender.send({ message: { regId, ...message } });
      assert.deepEqual([json.result, json.invalidUser], [10302, { status, userid: regId }]);
      const { json: listed } = await sender.sendList(['live-1', regId], message);
      assert.deepEqual([listed.result, listed.invalidUsers], [0, [{ status, userid: regId }]]);
    });
  }

  test('muted-1 has a separate code, and status 7 in a list', async () => {
    assert.equal((await sender.send({ message: { regId: 'muted-1' } })).json.result, 10311);
    const { json } = await sender.sendList(['live-1', 'muted-1']);
    assert.deepEqual(json.invalidUsers, [{ status: 7, userid: 'muted-1' }]);
  });

  test('stray-1 is reached in production', async () => {
    assert.equal((await sender.send({ message: { regId: 'stray-1' } })).json.result, 0);
  });

  test('a busy or down token causes the whole request to be rejected', async () => {
    const before = simulator.arrived().length;
    assert.equal((await sender.sendList(['live-1', 'busy-1'])).json.result, 10072);
    const { status, json, text } = await sender.sendList(['live-1', 'down-1']);
    assert.deepEqual([status, json, text], [500, undefined, 'Internal Server Error']);
    assert.equal(simulator.arrived().length, before);
  });
});

describe('list at the vivo simulator', () => {
  test('receives a saved message', async () => {
    const { json } = await sender.save({ title: 'For many' });
    assert.equal(json.result, 0);
    assert.ok(BigInt(json.taskId) > 2n ** 53n);
    const pushed = await sender.push(many(1000), { taskId: json.taskId });
    assert.deepEqual(pushed.json, { result: 0, desc: '请求成功', requestId: 'list-7' });
    const { task_id, tokens, body } = simulator.arrived('live-999').at(-1) ?? {};
    assert.deepEqual([task_id, tokens, body?.title], [json.taskId, 1000, 'For many']);
  });

  test('requires a time to live of at least 15 minutes and rejects a regId', async () => {
    assert.equal((await sender.save({ timeToLive: 899 })).json.result, 10059);
    assert.equal((await sender.save({ timeToLive: 900 })).json.result, 0);
    assert.equal((await sender.save({ regId: 'live-1' })).json.result, 10800);
  });

  const two = ['live-1', 'live-2'];
  const refusals: readonly (readonly [string, readonly unknown[], object, number])[] = [
    ['one token', ['live-1'], {}, 10153],
    ['1001 phones', many(1001), {}, 10153],
    ['a token that is not a string', ['live-1', 2], {}, 10150],
    ['regIds that are not a list', two, { regIds: 'live-1,live-2' }, 10150],
    ['no taskId', two, { taskId: undefined }, 10151],
    ['a taskId that is a number', two, { taskId: 7 }, 10152],
    ['an unknown task', two, { taskId: '7' }, 10155],
    ['no requestId', two, { requestId: '' }, 10352],
    ['a requestId of 65 characters', two, { requestId: 'x'.repeat(65) }, 10353],
    ['a pushMode that differs from the message', two, { pushMode: 1 }, 10800],
    ['an unknown key', two, { title: 'x' }, 10800],
  ];
  for (const [what, regIds, change, code] of refusals) {
    test(`is rejected with ${code}: ${what}`, async () => {
      const { json } = await sender.save();
      const result = await sender.push(regIds, { taskId: json.taskId, ...change });
      assert.equal(result.json.result, code, result.text);
    });
  }
});

describe('limits of the vivo simulator', () => {
  test('allow operational messages only in the daytime, but test and system messages at any time', async () => {
    try {
      for (const hour of [23, 0, 6]) {
        await control('/hour', { hour });
        assert.equal((await sender.send()).json.result, 10071, `${hour}`);
        assert.equal((await sender.send({ message: { classification: 1 } })).json.result, 0);
        assert.equal((await sender.send({ message: { pushMode: 1 } })).json.result, 0);
      }
      for (const hour of [7, 22]) {
        await control('/hour', { hour });
        assert.equal((await sender.send()).json.result, 0);
      }
      assert.equal((await control('/hour', { hour: 24 })).status, 400);
    } finally {
      await control('/hour', { hour: 12 });
    }
  });

  test('are separate per kind of message, and getAppConfig returns the remaining amounts', async () => {
    await using strict = await startVivoSimulator({ operationalPerDayMax: 3, systemPerDayMax: 1, listsPerDayMax: 1 });
    await using eager = await VivoSender.open(strict);
    const config = async () => {
      const { json } = await eager.send({ path: '/report/getAppConfig?appId=100001', method: 'GET', body: '' });
      return [json.marketMsgCount, json.remainMarketMsgCount, json.sysMsgCount, json.remainSysMsgCount];
    };
    assert.deepEqual(await config(), [3, 3, 1, 1]);
    assert.equal((await eager.sendList(['live-1', 'live-2', 'dead-1'])).json.result, 0);
    assert.equal((await eager.save()).json.result, 10252);
    assert.equal((await eager.send()).json.result, 0);
    assert.equal((await eager.send()).json.result, 10070);
    assert.equal((await eager.send({ message: { classification: 1 } })).json.result, 0);
    assert.equal((await eager.send({ message: { category: 'IM' } })).json.result, 10073);
    assert.deepEqual(await config(), [3, 0, 1, 0]);
    assert.equal(strict.arrived().length, 4);
  });

  test('include the number of phones per second', async () => {
    await using slow = await startVivoSimulator({ devicesPerSecondMax: 3 });
    await using eager = await VivoSender.open(slow);
    assert.equal((await eager.sendList(many(4))).json.result, 10072);
  });
});

test('records the body of a delivery without the token', async () => {
  const { json } = await sender.send({ message: { regId: 'live-logged', extra: undefined } });
  const [{ at, ...arrival } = { at: 0 }] = simulator.arrived('live-logged');
  assert.ok(Date.now() - at < 10_000);
  const { body, ...facts } = arrival as { body: object };
  assert.deepEqual(facts, {
    vendor: 'vivo',
    app_id: '100001',
    token: 'live-logged',
    task_id: json.taskId,
    tokens: 1,
  });
  assert.deepEqual(
    Object.keys(body),
    'appId notifyType title content skipType timeToLive requestId clientCustomMap'.split(' '),
  );
});

test('returns vivo’s codes for send and token faults, although both endpoints share one server', async () => {
  await using client = new HttpsClient(simulator.caPem);
  const fault = (kind: string) => control('/faults', { kind, requests: 1 });
  await fault('token-refused');
  assert.equal((await sender.send()).json.result, 0);
  assert.equal((await requestToken(client, simulator, {})).json.result, 10206);
  await fault('token-outage');
  assert.equal((await requestToken(client, simulator, {})).status, 500);
  const codes = { throttle: 10072, quota: 10070, 'wrong-credentials': 10094, 'expired-token': 10000 };
  for (const [kind, code] of Object.entries(codes)) {
    await fault(kind);
    assert.equal((await sender.send()).json.result, code, kind);
  }
  await fault('outage');
  const { status, headers } = await sender.send();
  assert.deepEqual([status, headers['content-type']], [500, 'text/plain']);
  const { send, token } = JSON.parse(await (await fetch(`${simulator.controlUrl}/counts`)).text());
  assert.ok(send.requests['200 0'] > 0 && token.requests['200 0'] > 0);
});

test('displays a notification on the page as a phone does', async () => {
  await sender.send({ message: { title: '<b>Sale</b>', addBadge: true, category: 'IM', pushMode: 1 } });
  const text = await (await fetch(simulator.controlUrl)).text();
  assert.match(text, /<h1>vivo Push simulator<\/h1>/);
  assert.match(text, /&#60;b&#62;Sale/);
  assert.match(text, /<b>\+1<\/b>/);
  assert.match(text, /operational · IM · test|system · IM · test/);
});
