import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type OppoSimulator, startOppoSimulator } from './simulator.ts';
import { entryOf, type MessageChange, OppoSender } from './test-sender.ts';

const SLOW_MS = 300;

let simulator: OppoSimulator;
let sender: OppoSender;
before(async () => {
  simulator = await startOppoSimulator({ slowMs: SLOW_MS });
  sender = await OppoSender.open(simulator);
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

const UNICAST = '/server/v1/message/notification/unicast';
const HEX = '0123456789abcdef0123456789ABCDEF';
const json = { 'content-type': 'application/json' };

describe('token requests at the OPPO simulator', () => {
  const refusals: readonly (readonly [string, Readonly<Record<string, string | undefined>>, number])[] = [
    ['no key', { app_key: undefined }, 15],
    ['an unknown key', { app_key: 'other' }, 14],
    ['no signature', { sign: undefined }, 17],
    ['a wrong signature', { sign: 'f'.repeat(64) }, 16],
    ['an empty timestamp', { timestamp: '' }, 18],
    ['a timestamp in seconds', { timestamp: String(Math.floor(Date.now() / 1000)) }, 19],
    ['a timestamp eleven minutes in the past', { timestamp: String(Date.now() - 660_000) }, 19],
  ];
  for (const [what, change, code] of refusals) {
    test(`rejects ${what}: ${code}`, async () => {
      const { status, json: answer } = await sender.requestToken(change);
      assert.deepEqual([status, answer.code, answer.data], [200, code, undefined]);
    });
  }

  test('rejects another method and a body that is not a form', async () => {
    assert.equal((await sender.requestToken({}, undefined, 'PUT')).json.code, 12);
    assert.equal((await sender.requestToken({}, json)).json.code, 25);
  });

  test('issues tokens for a valid signature, on the same server as messages, and earlier tokens stay valid', async () => {
    const { json: answer } = await sender.requestToken();
    assert.equal(answer.code, 0);
    assert.equal(typeof answer.data.create_time, 'number');
    assert.equal(simulator.tokenUrl, simulator.sendUrl);
    assert.equal((await sender.send()).json.code, 0);
    assert.ok((await call('GET', '/counts')).json.token.requests['200 0'] >= 2);
  });

  test('limits the lifetime and the number of tokens', async () => {
    await using other = await startOppoSimulator({ tokenLifeSeconds: 0, tokenCallsMax: 1 });
    await using hasty = await OppoSender.open(other);
    assert.equal((await hasty.send()).json.code, 11);
    assert.equal((await hasty.requestToken()).json.code, 13);
  });
});

describe('requests that the OPPO simulator rejects', () => {
  const refusals: readonly (readonly [string, MessageChange, number])[] = [
    ['to an unknown path', { path: '/server/v1/message/notification/unicasts' }, 22],
    ['with another method', { method: 'PUT' }, 12],
    ['that are not a form', { headers: json }, 25],
    ['without a token', { form: { auth_token: undefined } }, 29],
    ['with an unknown token', { form: { auth_token: 'other' } }, 11],
    ['without messages', { form: { messages: undefined } }, 40],
    ['without a message', { path: UNICAST, form: { message: undefined } }, 40],
    ['with messages that are not JSON', { form: { messages: '[' } }, 41],
    ['with messages that are not a list', { form: { messages: '{}' } }, 41],
    ['with an empty list of messages', { form: { messages: '[]' } }, 40],
    ['with 1001 entries', { tokens: Array.from({ length: 1001 }, (_, i) => `live-${i}`) }, 41],
  ];
  for (const [what, change, code] of refusals) {
    test(`${what}: ${code}`, async () => {
      const { status, json: answer, text } = await sender.send(change);
      assert.deepEqual([status, answer.code, answer.data], [200, code, undefined], text);
      assert.deepEqual(arrivedTokens(), []);
    });
  }
});

const shown = (notification: object) => ({ notification });
const timed = (change: object) =>
  shown({ show_time_type: 1, show_start_time: 1_794_744_000_000, show_end_time: 1_794_747_600_000, ...change });

describe('entries that the OPPO simulator rejects', () => {
  const refusals: readonly (readonly [string, MessageChange, number])[] = [
    ['without a token', { entry: { target_value: undefined } }, 40],
    ['for an alias', { entry: { target_type: 5 } }, 41],
    ['without a notification', { entry: { notification: undefined } }, 40],
    ['for a token in an invalid format', { tokens: ['abc'] }, 10000],
    ['for a brand without a region', { tokens: [`OPPO1_${HEX}`] }, 10000],
    ['for a token from another region', { tokens: [`OPPO_IN_${HEX}`] }, 10000],
    ['with a field in camelCase', shown({ clickActionType: 0 }), 41],
    ['without a title', shown({ title: undefined }), 40],
    ['with a blank body', shown({ content: ' ' }), 40],
    ['with a title of 51 characters', shown({ title: '钟'.repeat(51) }), 41],
    ['with a body of 51 characters', shown({ content: '🔔'.repeat(51) }), 41],
    ['with a long body of 129 characters', shown({ style: 2, content: '🔔'.repeat(129) }), 41],
    ['with a picture', shown({ style: 3 }), 41],
    ['with a click action that has no page', shown({ click_action_type: 4 }), 40],
    ['with a click action that has no URL', shown({ click_action_type: 5 }), 40],
    ['with a URL of 2001 characters', shown({ click_action_type: 5, click_action_url: 'x'.repeat(2001) }), 41],
    ['with parameters of 4001 characters', shown({ action_parameters: `{"x":"${'x'.repeat(3993)}"}` }), 41],
    ['with parameters that are not JSON', shown({ action_parameters: 'x' }), 41],
    ['with a lifetime of eleven days', shown({ off_line_ttl: 950_400 }), 41],
    ['with a display end before the start', timed({ show_end_time: 1_794_743_999_999 }), 41],
    ['with a display end in seconds', timed({ show_end_time: 1_794_747_600 }), 41],
    ['with a display end that is a string', timed({ show_end_time: '1794747600000' }), 41],
    ['with a display time without a start', timed({ show_start_time: undefined }), 40],
    ['with a display time without an end', timed({ show_end_time: undefined }), 40],
    ['with a notify_level and no category', shown({ notify_level: 16 }), 67],
    ['with an unknown notify_level', shown({ notify_level: 3, category: 'IM' }), 67],
    ['with an unknown category', shown({ category: 'LOUD' }), 67],
    ['with a badge operation that requires a count, but no count', shown({ badge_operation_type: 0 }), 40],
    ['with a callback URL of 201 characters', shown({ call_back_url: `http://${'x'.repeat(194)}` }), 41],
    ['with a callback parameter of 51 characters', shown({ call_back_parameter: 'x'.repeat(51) }), 41],
  ];
  for (const [what, change, code] of refusals) {
    test(`${what}: ${code} in a successful batch response`, async () => {
      const { json: answer, text } = await sender.send(change);
      assert.deepEqual([answer.code, answer.data?.[0]?.errorCode], [0, code], text);
      assert.deepEqual(arrivedTokens(), []);
      const { json: alone } = await sender.send({ ...change, path: UNICAST });
      assert.deepEqual([alone.code, alone.data], [code, undefined]);
    });
  }
});

describe('requests that the OPPO simulator accepts', () => {
  const good: readonly (readonly [string, MessageChange])[] = [
    ['a message', {}],
    ['tokens from mainland China', { tokens: [HEX, `CN_${HEX}`, `realme_CN_${HEX}`] }],
    ['a long body', shown({ style: 2, content: '🔔'.repeat(128) })],
    ['a page with a class name', shown({ click_action_type: 4, click_action_activity: 'com.example.Page' })],
    ['a notify_level with a category', shown({ category: 'IM', notify_level: 16 })],
    ['a badge that is incremented', shown({ badge_operation_type: 1 })],
    ['a display time', timed({})],
    ['parameters of 4000 characters', shown({ action_parameters: `{"x":"${'x'.repeat(3992)}"}` })],
  ];
  for (const [what, change] of good) {
    test(what, async () => {
      const { json: answer, text } = await sender.send(change);
      assert.equal(answer.code, 0);
      for (const { errorCode, messageId } of answer.data) {
        assert.equal(errorCode, undefined, text);
        assert.match(messageId, /^30000001-1-1-[0-9a-f]{24}$/);
      }
    });
  }

  test('a single message, whose response has no list', async () => {
    const { json: answer } = await sender.send({ path: UNICAST });
    assert.deepEqual([answer.code, Object.keys(answer.data)], [0, ['messageId']]);
  });
});

describe('tokens at the OPPO simulator', () => {
  test('have one entry each in the response, with an error for invalid tokens', async () => {
    const { json: answer } = await sender.send({ tokens: ['live-1', 'dead-1', 'nobody', 'live-2'] });
    const codes = answer.data.map((each: { registrationId: string; errorCode?: number }) => [
      each.registrationId,
      each.errorCode,
    ]);
    assert.deepEqual(codes, [
      ['live-1', undefined],
      ['dead-1', 10000],
      ['nobody', 10000],
      ['live-2', undefined],
    ]);
    assert.deepEqual(arrivedTokens(), ['live-1', 'live-2']);
  });

  test('cause the whole request to be rejected if one token is busy or down', async () => {
    assert.equal((await sender.send({ tokens: ['live-1', 'busy-1', 'down-1'] })).json.code, -2);
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

  test('receive a repeated message only once, and the response contains error 32 if duplicates are rejected', async () => {
    const change = { tokens: ['live-1'], ...shown({ app_message_id: 'a' }) };
    for (let times = 0; times < 2; times++) assert.equal((await sender.send(change)).json.data[0].errorCode, undefined);
    assert.deepEqual((await call('GET', '/tally')).json.tally, { a: { 'live-1': 1 } });
    await using strict = await startOppoSimulator({ duplicates: 'refused' });
    await using other = await OppoSender.open(strict);
    await other.send(change);
    assert.equal((await other.send(change)).json.data[0].errorCode, 32);
  });
});

describe('deliveries of the OPPO simulator', () => {
  test('contain the entry as received, without the token', async () => {
    const { json: answer } = await sender.send({ tokens: ['live-1', 'live-2'] });
    const [{ at: _at, ...arrival } = { at: 0 }] = simulator.arrived('live-1');
    const { target_value: _token, ...body } = entryOf('live-1') as { target_value: string };
    assert.deepEqual(arrival, {
      vendor: 'oppo',
      app_id: '30000001',
      token: 'live-1',
      request_id: answer.data[0].messageId,
      tokens: 2,
      body,
    });
  });

  test('are displayed as on a phone, with escaped HTML', async () => {
    await sender.send(shown({ title: '<b>Sale</b>', badge_operation_type: 0, badge_message_count: 7 }));
    const { text } = await call('GET', '/');
    assert.ok(text.includes('<h1>OPPO Push simulator</h1>'));
    assert.match(text, /&#60;b&#62;Sale/);
    assert.match(text, /<b>7<\/b>/);
  });
});

describe('faults of the OPPO simulator', () => {
  const answers: readonly (readonly [string, number, number | undefined])[] = [
    ['outage', 502, undefined],
    ['html', 502, undefined],
    ['paused', 200, -1],
    ['throttle', 200, -2],
    ['limited', 200, 13],
    ['quota', 200, 33],
    ['wrong-credentials', 200, 28],
    ['expired-token', 200, 11],
  ];
  for (const [kind, status, code] of answers) {
    test(`${kind} returns ${status} ${code ?? ''} once and does not affect token requests`, async () => {
      await fault({ kind, requests: 1 });
      assert.equal((await sender.requestToken()).json.code, 0);
      const result = await sender.send();
      assert.deepEqual([result.status, result.json?.code], [status, code]);
      assert.deepEqual(arrivedTokens(), []);
      assert.equal((await sender.send()).json.code, 0);
    });
  }

  test('at the token endpoint do not affect messages', async () => {
    for (const kind of ['token-outage', 'token-limited', 'token-refused']) await fault({ kind, requests: 1 });
    assert.equal((await sender.send()).json.code, 0);
    assert.equal((await sender.requestToken()).status, 502);
    assert.equal((await sender.requestToken()).json.code, 55);
    assert.equal((await sender.requestToken()).json.code, 16);
  });

  test('DELETE /tokens expires all issued tokens', async () => {
    await using other = await OppoSender.open(simulator);
    assert.equal((await call('DELETE', '/tokens')).status, 204);
    assert.equal((await other.send()).json.code, 11);
    await sender[Symbol.asyncDispose]();
    sender = await OppoSender.open(simulator);
  });
});

describe('receipts of the OPPO simulator', () => {
  type Event = Record<string, unknown>;
  const received: Event[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      assert.equal(request.headers['content-type'], 'application/json');
      received.push(...(JSON.parse(Buffer.concat(chunks).toString()) as Event[]));
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

  async function untilReceived(count: number): Promise<Event[]> {
    while (received.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return received;
  }

  test('are sent to the URL in the message, with one event per token', async () => {
    const tokens = ['live-1', 'gone-1', 'capped-1', 'dead-1'];
    const { json: answer } = await sender.send({ tokens, ...shown({ call_back_url: url }) });
    const events = await untilReceived(3);
    const byToken = Object.fromEntries(events.map(({ registrationIds, eventType }) => [registrationIds, eventType]));
    assert.deepEqual(byToken, { 'live-1': 'push_arrive', 'gone-1': 'regid_invalid', 'capped-1': 'user_daily_limit' });
    const { eventTime, taskId, ...event } = events.find(({ registrationIds }) => registrationIds === 'live-1') ?? {};
    assert.match(String(eventTime), /^\d{13}$/);
    assert.equal(typeof taskId, 'string');
    assert.deepEqual(event, {
      messageId: answer.data[0].messageId,
      appId: '30000001',
      registrationIds: 'live-1',
      param: 'task-7',
      eventType: 'push_arrive',
    });
  });

  test('can be sent twice through the control API, in the 2019 format', async () => {
    assert.equal((await call('POST', '/receipts', { url, version: 'V2' })).status, 204);
    const { json: answer } = await call('POST', '/receipts/send', { token: 'live-1', status: 2, repeat: 2 });
    assert.equal(answer.posts.length, 2);
    assert.deepEqual(
      received.map(({ eventType, taskId, param, eventTime }) => [eventType, taskId, param, eventTime]),
      Array(2).fill(['regid_invalid', '0000', undefined, undefined]),
    );
  });
});
