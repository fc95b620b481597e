import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startXiaomiSimulator, type XiaomiSimulator } from './simulator.ts';
import { type MessageChange, XiaomiSender } from './test-sender.ts';

const SLOW_MS = 300;

let simulator: XiaomiSimulator;
let sender: XiaomiSender;
before(async () => {
  simulator = await startXiaomiSimulator({ slowMs: SLOW_MS });
  sender = new XiaomiSender(simulator);
});
after(async () => {
  await sender[Symbol.asyncDispose]();
  await simulator.stop();
});

async function call(method: string, path: string, body?: unknown) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(simulator.controlUrl + path, init);
  const text = await response.text();
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}
const fault = async (body: object) => assert.equal((await call('POST', '/faults', body)).status, 204);
const arrivedTokens = () => simulator.arrived().map(({ token }) => token);

beforeEach(async () => {
  await call('DELETE', '/arrived');
  await call('DELETE', '/faults');
  await call('DELETE', '/receipts');
});

const many = (count: number) => Array.from({ length: count }, (_, index) => `live-${index}`);
const extras = (count: number, length = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`extra.own${i}`, 'x'.repeat(length)]));
const template = (id: string, param: string) => ({
  form: { 'extra.channel_id': '100124', 'extra.template_id': id, 'extra.template_param': param },
});

describe('requests that both Xiaomi and the Xiaomi simulator reject', () => {
  const refusals: readonly (readonly [string, MessageChange, number])[] = [
    ['an unknown path', { path: '/v3/message/regids' }, 10020],
    ['a method other than POST', { method: 'PUT' }, 10021],
    ['a wrong secret', { headers: { authorization: 'key=other' } }, 21301],
    ['a secret with a space', { headers: { authorization: 'key= demo/xiaomi+secret==' } }, 21301],
    [
      'an upper-case KEY in the authorization header',
      { headers: { authorization: 'KEY=demo/xiaomi+secret==' } },
      21301,
    ],
    ['a body that is not a form', { headers: { 'content-type': 'application/json' } }, 10007],
    ['an unknown field', { form: { registrationId: 'x' } }, 10008],
    ['no target', { form: { registration_id: undefined } }, 10016],
    ['1001 targets', { tokens: many(1001) }, 10017],
    ['no package', { form: { restricted_package_name: undefined } }, 10016],
    ['the package of another app', { form: { restricted_package_name: 'com.other' } }, 22022],
    ['pass-through', { form: { pass_through: '1' } }, 10017],
    ['no title', { form: { title: undefined } }, 65011],
    ['a blank body', { form: { description: ' \n' } }, 65011],
    ['a title of 50 characters', { form: { title: '钟'.repeat(50) } }, 65009],
    ['a body of 128 characters', { form: { description: '🔔'.repeat(128) } }, 65009],
    ['a message of more than 4 KB', { form: { payload: 'x'.repeat(4096) } }, 65009],
    ['an invalid time to live', { form: { time_to_live: '1h' } }, 10017],
    ['a notify id larger than a 32-bit integer', { form: { notify_id: '2147483648' } }, 10017],
    ['no notify_effect', { form: { 'extra.notify_effect': undefined } }, 10017],
    ['a page without an intent', { form: { 'extra.notify_effect': '2' } }, 10017],
    ['a web page without a URL', { form: { 'extra.notify_effect': '3' } }, 10017],
    ['the sound of another app', { form: { 'extra.sound_uri': 'android.resource://com.other/raw/x' } }, 10017],
    ['a jobkey of 21 characters', { form: { 'extra.jobkey': 'x'.repeat(21) } }, 70012],
    ['a jobkey that starts with _', { form: { 'extra.jobkey': '_x' } }, 70012],
    ['eleven extras', { form: extras(11) }, 65014],
    ['extras that are too long', { form: extras(2, 600) }, 65015],
    ['a callback of 129 bytes', { form: { 'extra.callback': `http://${'x'.repeat(122)}` } }, 10025],
    ['a callback.param of 257 bytes', { form: { 'extra.callback.param': 'x'.repeat(257) } }, 10025],
    ['an unknown channel', { form: { 'extra.channel_id': 'news' } }, 27001],
    ['a private channel without a template', { form: { 'extra.channel_id': '100124' } }, 27001],
    ['an unknown template', template('P2', '{"keywords1":"a","keywords2":"b"}'), 27001],
    ['a template with too few parameters', template('P10001', '{"keywords1":"a"}'), 27001],
    ['a template with emoji', template('P10001', '{"keywords1":"a","keywords2":"🔔"}'), 27001],
    ['a template with a blank value', template('P10001', '{"keywords1":"a","keywords2":" "}'), 27001],
  ];
  for (const [what, change, code] of refusals) {
    test(`${what} returns ${code}`, async () => {
      const { status, json, text } = await sender.send(change);
      assert.deepEqual([status, json?.result, json?.code], [200, 'error', code], text);
      assert.match(json.trace_id, /^X/);
      assert.deepEqual([typeof json.reason, json.data], ['string', undefined]);
      assert.equal(simulator.arrived().length, 0);
    });
  }
});

describe('requests that both Xiaomi and the Xiaomi simulator accept', () => {
  const good: readonly (readonly [string, MessageChange])[] = [
    ['a message', {}],
    ['1000 targets', { tokens: many(1000) }],
    ['several packages', { form: { restricted_package_name: 'com.example.carillon,com.example.carillon.lite' } }],
    ['a title and a body of the maximum length', { form: { title: '钟'.repeat(49), description: '🔔'.repeat(127) } }],
    ['no channel', { form: { 'extra.channel_id': undefined } }],
    ['ten extras', { form: extras(10) }],
    ['a template', template('P10001', '{"keywords1":"a","keywords2":"b"}')],
    ['the v2 path', { path: '/v2/message/regid' }],
  ];
  for (const [what, change] of good) {
    test(what, async () => {
      const { status, json, text } = await sender.send(change);
      assert.deepEqual([status, json.result, json.code, json.data.bad_regids], [200, 'ok', 0, undefined], text);
      assert.match(json.data.id, /^scm\d+t$/);
    });
  }
});

describe('tokens at the Xiaomi simulator', () => {
  test('are returned in one string if invalid, and valid tokens are reached', async () => {
    const { json } = await sender.send({ tokens: ['live-1', 'dead-1', 'nobody'] });
    assert.deepEqual([json.code, json.data.bad_regids], [0, 'dead-1,nobody']);
    assert.deepEqual(arrivedTokens(), ['live-1']);
  });

  test('are reported with a separate code if all tokens are invalid', async () => {
    const { json } = await sender.send({ tokens: ['dead-1', 'nobody'] });
    assert.deepEqual([json.code, json.reason], [20301, 'No valid targets!']);
  });

  test('with a + are reached only if the + is encoded', async () => {
    assert.equal((await sender.send({ tokens: ['a+b/='] })).json.code, 0);
    const { json } = await sender.send({
      body: 'registration_id=a+b&restricted_package_name=com.example.carillon&title=t&description=d&extra.notify_effect=1',
    });
    assert.equal(json.code, 20301);
  });

  test('cause the whole request to be rejected if one token is busy or down', async () => {
    const { status, json } = await sender.send({ tokens: ['live-1', 'busy-1', 'down-1'] });
    assert.deepEqual([status, json.code], [200, 200002]);
    assert.equal((await sender.send({ tokens: ['live-1', 'down-1'] })).status, 500);
    assert.deepEqual(arrivedTokens(), []);
  });

  test('with the prefix slow- or half- are reached, with a late or truncated response', async () => {
    const start = performance.now();
    assert.equal((await sender.send({ tokens: ['slow-1'] })).json.code, 0);
    assert.ok(performance.now() - start >= SLOW_MS - 10);
    assert.equal((await sender.send({ tokens: ['half-1'] })).isComplete, false);
    assert.deepEqual(arrivedTokens(), ['slow-1', 'half-1']);
  });
});

describe('deliveries of the Xiaomi simulator', () => {
  test('contain the form as received, without the tokens', async () => {
    const { json } = await sender.send({ tokens: ['live-1', 'live-2'], form: { payload: undefined } });
    const [{ at: _at, ...arrival } = { at: 0 }] = simulator.arrived('live-1');
    assert.deepEqual(arrival, {
      vendor: 'xiaomi',
      app_id: '2882303761510000001',
      token: 'live-1',
      request_id: json.data.id,
      tokens: 2,
      is_shown: true,
      body: {
        restricted_package_name: 'com.example.carillon',
        title: 'Sale',
        description: 'Today and tomorrow',
        time_to_live: '3600000',
        notify_id: '7',
        'extra.notify_effect': '1',
        'extra.channel_id': '100123',
        'extra.callback.param': 'task-7',
      },
    });
  });

  test('are shown once per jobkey, and counted by jobkey or notify id', async () => {
    const form = { 'extra.jobkey': 'job-1' };
    for (let times = 0; times < 2; times++) await sender.send({ tokens: ['live-1'], form });
    await sender.send({ tokens: ['live-1'] });
    assert.deepEqual(
      simulator.arrived('live-1').map(({ is_shown }) => is_shown),
      [true, false, true],
    );
    assert.deepEqual((await call('GET', '/tally')).json.tally, { 'job-1': { 'live-1': 2 }, '7': { 'live-1': 1 } });
  });

  test('are displayed as on a phone, with escaped HTML', async () => {
    await sender.send({ form: { title: '<b>Sale</b>' } });
    const { text } = await call('GET', '/');
    assert.ok(text.includes('<h1>Xiaomi Push simulator</h1>'));
    assert.match(text, /&#60;b&#62;Sale/);
  });
});

describe('faults of the Xiaomi simulator', () => {
  const answers: readonly (readonly [string, number, number | undefined])[] = [
    ['outage', 502, undefined],
    ['html', 502, undefined],
    ['paused', 200, 10002],
    ['throttle', 200, 200002],
    ['quota', 200, 200001],
    ['channel-quota', 200, 0],
    ['forbidden', 200, 10031],
    ['wrong-credentials', 200, 21301],
  ];
  for (const [kind, status, code] of answers) {
    test(`${kind} returns ${status} ${code ?? ''} once`, async () => {
      await fault({ kind, requests: 1 });
      const result = await sender.send();
      assert.deepEqual([result.status, result.json?.code], [status, code]);
      assert.deepEqual(arrivedTokens(), []);
      assert.equal((await sender.send()).json.code, 0);
    });
  }

  test('each app has its own secret', async () => {
    const app = { app_id: '2', app_key: 'k', app_secret: 'other', package_names: ['com.other'] };
    assert.equal((await call('POST', '/apps', app)).status, 204);
    const headers = { authorization: 'key=other' };
    assert.equal((await sender.send({ headers })).json.code, 22022);
    assert.equal((await sender.send({ headers, form: { restricted_package_name: 'com.other' } })).json.code, 0);
  });
});

describe('receipts of the Xiaomi simulator', () => {
  type ReceiptsById = Record<string, Record<string, unknown>>;
  const received: ReceiptsById[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
      received.push(
        JSON.parse(new URLSearchParams(Buffer.concat(chunks).toString()).get('data') ?? '') as ReceiptsById,
      );
      response.end();
      wake();
    });
  });
  let url: string;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());
  beforeEach(() => received.splice(0));

  async function untilReceived(count: number): Promise<ReceiptsById[]> {
    while (received.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return received;
  }

  test('are sent to the URL in the message, each requested type in a separate request', async () => {
    const tokens = ['live-1', 'live-2', 'dead-1', 'gone-1', 'muted-1'];
    const { json } = await sender.send({ tokens, form: { 'extra.callback': url, 'extra.callback.type': '19' } });
    const receipts = (await untilReceived(2)).map((each) => each[json.data.id] ?? {});
    const [delivered, bad] = receipts.sort((a, b) => Number(a.type) - Number(b.type));
    const { timestamp, ...rest } = delivered ?? {};
    assert.equal(typeof timestamp, 'number');
    assert.deepEqual(rest, { param: 'task-7', type: 1, targets: 'live-1,live-2', barStatus: 'Enable' });
    assert.deepEqual([bad?.type, bad?.targets, bad?.errorCode], [16, 'gone-1', 1]);
  });

  test('are not sent if the requested types contain unknown flags', async () => {
    await sender.send({ form: { 'extra.callback': url, 'extra.callback.type': '246' } });
    await sender.send({ tokens: ['live-last'], form: { 'extra.callback': url } });
    const [only] = await untilReceived(1);
    assert.deepEqual(
      Object.values(only ?? {}).map(({ targets }) => targets),
      ['live-last'],
    );
  });

  test('can be sent repeatedly and with any type through the control API', async () => {
    assert.equal((await call('POST', '/receipts', { url })).status, 204);
    await sender.send({ tokens: ['moved-1'] });
    await untilReceived(1);
    const again = { token: 'moved-1', status: 16, repeat: 2 };
    assert.equal((await call('POST', '/receipts/send', again)).json.posts.length, 2);
    const [entry] = Object.values(received[2] ?? {});
    assert.deepEqual([entry?.type, entry?.param, entry?.replaceTarget], [16, 'task-7', { 'moved-1': 'moved-1-anew' }]);
  });
});
