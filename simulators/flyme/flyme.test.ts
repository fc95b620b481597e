import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FlymeSimulator, startFlymeSimulator } from './simulator.ts';
import { FlymeSender, type MessageChange } from './test-sender.ts';

let simulator: FlymeSimulator;
let sender: FlymeSender;
before(async () => {
  simulator = await startFlymeSimulator();
  sender = new FlymeSender(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

let rounds = 0;
/** Returns a new token. A phone accepts only five messages per minute, so tests do not share tokens. */
const fresh = (outcome = 'live') => `${outcome}-${++rounds}`;
const many = (count: number) => Array.from({ length: count }, () => fresh());
const control = (path: string, body: object, { controlUrl } = simulator) =>
  fetch(controlUrl + path, { method: 'POST', body: JSON.stringify(body) });
const expand = (noticeExpandInfo: object) => ({ message: { noticeExpandInfo } });
const click = (clickTypeInfo: object) => ({ message: { clickTypeInfo } });
const advance = (advanceInfo: object) => ({ message: { advanceInfo } });
const timed = (fixStartDisplayTime: unknown, fixEndDisplayTime: unknown) =>
  advance({ fixDisplay: 1, fixStartDisplayTime, fixEndDisplayTime });

describe('requests that both Meizu and the Meizu simulator reject', () => {
  const refusals: readonly (readonly [string, MessageChange, string])[] = [
    ['a body that is not a form', { headers: { 'content-type': 'application/json' } }, '1005'],
    ['no appId', { form: { appId: undefined } }, '110004'],
    ['no signature', { unsigned: { sign: '' } }, '110004'],
    ['an unknown app', { form: { appId: '5' } }, '110000'],
    ['a signature with another secret', { unsigned: { sign: '0'.repeat(32) } }, '1006'],
    ['a parameter that was changed after signing', { unsigned: { pushIds: 'live-2' } }, '1006'],
    ['a parameter that was added after signing', { unsigned: { more: 'x' } }, '1006'],
    ['no pushIds', { form: { pushIds: '' } }, '110004'],
    ['no message', { form: { messageJson: undefined } }, '110004'],
    ['101 phones', { tokens: Array.from({ length: 101 }, (_, index) => `live-${index}`) }, '1005'],
    ['an empty token', { form: { pushIds: 'live-1,,live-2' } }, '1005'],
    ['the package of another app', { form: { restrictedPackageNames: 'com.other' } }, '110031'],
    ['a message that is not JSON', { form: { messageJson: '{"a":' } }, '1005'],
    ['an unknown key', { message: { noticebarInfo: {} } }, '1005'],
    ['no noticeBarInfo', { message: { noticeBarInfo: undefined } }, '1005'],
    ['no title', { noticeBar: { title: '' } }, '1005'],
    ['a title of 33 characters', { noticeBar: { title: '钟'.repeat(33) } }, '1005'],
    ['no body', { noticeBar: { content: undefined } }, '1005'],
    ['a body of 101 characters', { noticeBar: { content: 'x'.repeat(101) } }, '1005'],
    ['a noticeMsgType of 2', { noticeBar: { noticeMsgType: 2 } }, '1005'],
    ['a noticeBarType of 1', { noticeBar: { noticeBarType: 1 } }, '1005'],
    ['the large-text style without large text', expand({ noticeExpandType: 1 }), '1005'],
    ['a picture without a URL', expand({ noticeExpandType: 2 }), '1005'],
    ['a click that opens a page, without a class name', click({ clickType: 1 }), '1005'],
    ['an invalid class name', click({ clickType: 1, activity: '.Page' }), '1005'],
    ['a URL click without a URL', click({ clickType: 2 }), '1005'],
    ['the retired click type 3', click({ clickType: 3, customAttribute: 'x' }), '1005'],
    ['a parameter that is not a string', click({ clickType: 0, parameters: { a: 1 } }), '1005'],
    ['0 hours', { message: { pushTimeInfo: { validTime: 0 } } }, '1005'],
    ['73 hours', { message: { pushTimeInfo: { validTime: 73 } } }, '1005'],
    ['a notifyKey of nine characters', advance({ notifyKey: '123456789' }), '1005'],
    ['a notifyKey with a dot', advance({ notifyKey: 'a.b' }), '1005'],
    ['a display time in another format', timed('2026-11-15T20:00:00Z', '2026-11-15 21:00:00'), '1005'],
    ['a display time that does not exist', timed('2026-11-15 20:00:00', '2026-11-15 25:00:00'), '1005'],
    ['a display time that is a number', timed(1_794_744_000_000, 1_794_747_600_000), '1005'],
    ['a display end before the start', timed('2026-11-15 20:00:00', '2026-11-15 19:59:59'), '1005'],
    ['a display time without an end', timed('2026-11-15 20:00:00', undefined), '1005'],
    ['an unregistered callback URL', { message: { extra: { callback: 'https://x.io' } } }, '1005'],
    ['a callback.param of 65 bytes', { message: { extra: { 'callback.param': '钟'.repeat(22) } } }, '1005'],
    ['a picture from an app that is not VIP', expand({ noticeExpandType: 2, noticeExpandImgUrl: 'https://x' }), '1005'],
    ['a data-only message', { path: '/push/unvarnished/pushByPushId' }, '110053'],
  ];
  for (const [what, change, code] of refusals) {
    test(`${what} returns ${code}`, async () => {
      const before = simulator.arrived().length;
      const { status, json, text } = await sender.send(change);
      assert.deepEqual([status, json?.code, json?.value], [200, code, ''], text);
      assert.equal(simulator.arrived().length, before);
    });
  }

  test('returns 404 for another path and 405 for another method', async () => {
    assert.equal((await sender.send({ path: '/push/pushTask/pushToApp' })).status, 404);
    assert.equal((await sender.send({ method: 'PUT' })).status, 405);
  });
});

describe('requests that both Meizu and the Meizu simulator accept', () => {
  const good: readonly (readonly [string, MessageChange])[] = [
    ['a message', {}],
    ['a title and a body of the maximum length', { noticeBar: { title: '🔔'.repeat(32), content: '钟'.repeat(100) } }],
    ['a hundred tokens', { tokens: many(100) }],
    ['additional signed parameters', { form: { Zebra: 'x', aardvark: 'y' } }],
    ['a package of the app', { form: { restrictedPackageNames: 'com.example.carillon' } }],
    ['large text', expand({ noticeExpandType: 1, noticeExpandContent: 'x'.repeat(1000) })],
    ['a page', click({ clickType: 1, activity: 'com.example.Page', parameters: { a: 'b' } })],
    ['a display time', timed('2026-11-15 20:00:00', '2026-11-15 21:00:00')],
    ['booleans as Meizu’s SDK sends them', advance({ suspend: true, notificationType: { sound: false } })],
  ];
  for (const [what, change] of good) {
    test(what, async () => {
      const { json, text } = await sender.send({ tokens: [fresh()], ...change });
      assert.deepEqual([json.code, json.value], ['200', {}], text);
      assert.match(json.msgId, /^NS\d{17}_0_100999_1_\d+$/);
    });
  }

  test('an uploaded picture from a VIP app', async () => {
    const vip = { appId: '7', appKey: 'k', appSecret: 's', packageNames: [], isVip: true };
    await control('/apps', { app_id: '7', app_key: 'k', app_secret: 's', vip: true });
    const image = { imgType: '1', imgUrl: 'https://example.com/a.png' };
    const { json } = await sender.send({ app: vip, path: '/push/uploadImg', form: image });
    const picture = (noticeExpandImgUrl: string) =>
      sender.send({ app: vip, tokens: [fresh()], ...expand({ noticeExpandType: 2, noticeExpandImgUrl }) });
    assert.equal((await picture(json.value.imgUrl)).json.code, '200');
    assert.equal((await picture(image.imgUrl)).json.code, '1005');
  });
});

describe('token outcomes of the Meizu simulator', () => {
  test('lists rejected tokens by error code and delivers to the other tokens', async () => {
    const names = ['dead', 'foreign', 'muted', 'capped', 'fail', 'full'].map((outcome) => fresh(outcome));
    const [dead, foreign, muted, capped, fail, full] = names;
    const live = fresh();
    const { json } = await sender.send({ tokens: [...names, 'nobody', live] });
    assert.deepEqual(json.value, {
      110002: [dead],
      110003: [foreign, 'nobody'],
      110010: [muted],
      110011: [capped],
      501: [fail],
      519: [full],
    });
    assert.equal(simulator.arrived().at(-1)?.token, live);
  });

  test('delivers private messages to capped tokens', async () => {
    const { json } = await sender.send({ tokens: [fresh('capped')], noticeBar: { noticeMsgType: 1 } });
    assert.deepEqual(json.value, {});
  });

  test('delivers five messages per minute and rejects the sixth with 520', async () => {
    const token = fresh();
    const values = [];
    for (let times = 0; times < 6; times += 1) values.push((await sender.send({ tokens: [token] })).json.value);
    assert.deepEqual(values, [{}, {}, {}, {}, {}, { 520: [token] }]);
    assert.equal(simulator.arrived(token).length, 5);
  });

  test('rejects the whole request if one token is busy or down', async () => {
    const before = simulator.arrived().length;
    assert.equal((await sender.send({ tokens: [fresh(), fresh('busy')] })).json.code, '110010');
    assert.equal((await sender.send({ tokens: [fresh(), fresh('down')] })).status, 500);
    assert.equal(simulator.arrived().length, before);
  });
});

test('rejects requests over the per-second limit', async () => {
  await using slow = await startFlymeSimulator({ requestsPerSecondMax: 0 });
  await using eager = new FlymeSender(slow);
  assert.equal((await eager.send()).json.code, '110010');
});

test('records a delivered message unchanged', async () => {
  const token = fresh();
  const { json } = await sender.send({ tokens: [token] });
  const [{ at, body, ...arrival } = { at: 0, body: {} }] = simulator.arrived(token);
  assert.ok(Date.now() - at < 10_000);
  assert.deepEqual(arrival, { vendor: 'flyme', app_id: '100999', token, msg_id: json.msgId, tokens: 1 });
  assert.deepEqual(Object.keys(body), ['noticeBarInfo', 'clickTypeInfo', 'pushTimeInfo']);
});

test('returns Meizu’s codes for faults', async () => {
  const fault = (kind: string) => control('/faults', { kind, requests: 1 });
  const codes = { overload: '1003', throttle: '110010', quota: '110019', 'wrong-credentials': '1006' };
  for (const [kind, code] of Object.entries(codes)) {
    await fault(kind);
    assert.equal((await sender.send()).json.code, code, kind);
  }
  await fault('outage');
  assert.equal((await sender.send()).status, 500);
  await fault('html');
  assert.equal((await sender.send()).status, 502);
});

test('displays a notification on the page as a phone does', async () => {
  const expanded = { noticeExpandType: 1, noticeExpandContent: 'All of it' };
  await sender.send({ tokens: [fresh()], noticeBar: { title: '<b>Sale</b>', noticeMsgType: 1 }, ...expand(expanded) });
  const text = await (await fetch(simulator.controlUrl)).text();
  assert.match(text, /<h1>Meizu Push simulator<\/h1>/);
  assert.match(text, /&#60;b&#62;Sale/);
  assert.match(text, /All of it/);
  assert.match(text, /100999 · private/);
});
