import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { HttpsClient } from '../kit/test-client.ts';
import { type FcmSimulator, startFcmSimulator } from './simulator.ts';
import { authorizationHeaders, FORM_HEADERS, formOf, openConnection, post, signAssertion } from './test-client.ts';

const PATH = '/v1/projects/carillon-demo/messages:send';
let simulator: FcmSimulator;
let headers: Record<string, string>;

before(async () => {
  simulator = await startFcmSimulator({ slowMs: 200, arrivedMax: 50 });
  headers = await authorizationHeaders(simulator);
});
after(() => simulator.stop());
beforeEach(async () => {
  await call('DELETE', '/arrived');
  await call('DELETE', '/faults');
});

async function call(method: string, path: string, body?: unknown) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(simulator.controlUrl + path, init);
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type') === 'application/json';
  return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined };
}

const open = () => openConnection(simulator.sendUrl, simulator.caPem);
const messageTo = (token: string, more: object = {}) => JSON.stringify({ message: { token, ...more } });
type Connection = Awaited<ReturnType<typeof open>>;
const send = (connection: Connection, token: string, more: object = {}) =>
  post(connection, { path: PATH, body: messageTo(token, more), headers });

describe('control API', () => {
  test('lists delivered messages, counts them per task, and deletes them', async () => {
    await using connection = await open();
    const tagged = { android: { notification: { tag: 'task-1' } } };
    await send(connection, 'live-a', tagged);
    await send(connection, 'live-a', tagged);
    await send(connection, 'live-b', { data: { mid: 'task-2' } });
    await send(connection, 'dead-a', tagged);
    const { json } = await call('GET', '/arrived');
    assert.deepEqual([json.total, json.arrived[2].token], [3, 'live-b']);
    assert.equal((await call('GET', '/arrived?token=live-a')).json.total, 2);
    const tally = { 'task-1': { 'live-a': 2 }, 'task-2': { 'live-b': 1 } };
    assert.deepEqual((await call('GET', '/tally')).json, { whole: true, tally });
    assert.equal((await call('DELETE', '/arrived')).status, 204);
    assert.deepEqual((await call('GET', '/tally')).json, { whole: true, tally: {} });
  });

  test('counts connections, and counts requests by response, at both endpoints', async () => {
    await using fresh = await startFcmSimulator();
    const own = await authorizationHeaders(fresh);
    await using connection = await openConnection(fresh.sendUrl, fresh.caPem);
    for (const token of ['live-1', 'live-2', 'dead-1', 'half-1']) {
      await post(connection, { path: PATH, body: messageTo(token), headers: own });
    }
    const counts = JSON.parse(await (await fetch(`${fresh.controlUrl}/counts`)).text());
    assert.deepEqual(counts.send, {
      connections: { opened: 1, open: 1 },
      requests: { '200': 2, '404 UNREGISTERED': 1, cut: 1 },
    });
    assert.deepEqual(counts.token.requests, { '200': 1 });
    assert.equal(counts.token.connections.opened, 1);
  });

  test('displays delivered messages as notifications and escapes HTML', async () => {
    await using connection = await open();
    const notification = {
      title: '<b>Sale</b>',
      body: 'Today',
      notification_count: 7,
      image: 'https://example.com/a.png',
    };
    await send(connection, 'live-1', { data: { ext: '{}' }, android: { notification } });
    const { text } = await call('GET', '/');
    assert.match(text, /FCM simulator/);
    assert.match(text, /&#60;b&#62;Sale/);
    assert.match(text, /<b>\+7<\/b>/);
    assert.match(text, /src="https:\/\/example.com\/a.png"/);
  });

  test('rejects an invalid project id and an unknown kind of fault', async () => {
    for (const project_id of ['', 'Big', '../x', 'x'.repeat(31), 7]) {
      assert.equal((await call('POST', '/accounts', { project_id })).status, 400);
    }
    const { status, json } = await call('POST', '/faults', { kind: 'flood', requests: 1 });
    assert.equal(status, 400);
    const kinds =
      'outage throttle wrong-credentials expired-token goaway reset stall truncate html token-outage token-refused';
    for (const kind of kinds.split(' ')) assert.match(json.error, new RegExp(kind));
  });
});

describe('a fault', () => {
  const answers: readonly (readonly [string, object, number, string, string | undefined])[] = [
    ['outage', {}, 503, 'UNAVAILABLE', undefined],
    ['outage', { retry_after_seconds: 9 }, 503, 'UNAVAILABLE', '9'],
    ['throttle', {}, 429, 'RESOURCE_EXHAUSTED', '7'],
    ['throttle', { retry_after_seconds: 9 }, 429, 'RESOURCE_EXHAUSTED', '9'],
    ['wrong-credentials', {}, 401, 'UNAUTHENTICATED', undefined],
  ];
  for (const [kind, more, status, code, retryAfter] of answers) {
    test(`of kind ${kind} ${JSON.stringify(more)} returns ${status} for the given number of requests`, async () => {
      await using connection = await open();
      assert.equal((await call('POST', '/faults', { kind, requests: 2, ...more })).status, 204);
      for (let index = 0; index < 2; index += 1) {
        const result = await send(connection, 'live-1');
        assert.deepEqual([result.status, result.json.error.status], [status, code]);
        assert.equal(result.headers['retry-after'], retryAfter);
      }
      assert.equal((await send(connection, 'live-1')).status, 200);
      assert.equal(simulator.arrived().length, 1);
    });
  }

  test('of kind expired-token invalidates all existing access tokens but not new ones', async () => {
    await using connection = await open();
    await call('POST', '/faults', { kind: 'expired-token', requests: 1 });
    for (let index = 0; index < 2; index += 1) assert.equal((await send(connection, 'live-1')).status, 401);
    headers = await authorizationHeaders(simulator);
    assert.equal((await send(connection, 'live-1')).status, 200);
  });

  test('of kind html returns an HTML page', async () => {
    await using connection = await open();
    await call('POST', '/faults', { kind: 'html', requests: 1 });
    const { status, text } = await send(connection, 'live-1');
    assert.equal(status, 502);
    assert.match(text, /^<html>/);
  });

  test('of kind answer returns the given status, headers and body', async () => {
    await using connection = await open();
    await using client = new HttpsClient(simulator.caPem);
    const customResponses = [
      { status: 500, headers: { 'x-word': 'w' }, body: { error: { status: 'INTERNAL' } } },
      { headers: { connection: 'close', 'Transfer-Encoding': 'chunked', 'content-length': '3', te: 'x' } },
      { status: 204 },
      { status: 304, body: 'text' },
    ];
    for (const customResponse of customResponses) {
      await call('POST', '/faults', { kind: 'answer', requests: 2, ...customResponse });
      const answers = [
        await send(connection, 'live-1'),
        await client.post(simulator.sendUrl + PATH, messageTo('live-1'), headers),
      ];
      for (const { status, headers: responseHeaders, errorCode } of answers) {
        assert.deepEqual([status, errorCode], [customResponse.status ?? 200, undefined]);
        assert.equal(responseHeaders['x-word'], customResponse.headers?.['x-word']);
      }
    }
    assert.deepEqual(simulator.arrived(), []);
  });

  test('at the token endpoint does not affect sending', async () => {
    await using connection = await open();
    await using client = new HttpsClient(simulator.caPem);
    const ask = () =>
      client.post(`${simulator.tokenUrl}/token`, formOf(signAssertion(simulator.certificate)), FORM_HEADERS);
    await call('POST', '/faults', { kind: 'token-outage', requests: 1, retry_after_seconds: 9 });
    await call('POST', '/faults', { kind: 'token-refused', requests: 1 });
    assert.equal((await send(connection, 'live-1')).status, 200);
    const outage = await ask();
    assert.deepEqual([outage.status, outage.headers['retry-after']], [503, '9']);
    const refusal = await ask();
    assert.deepEqual([refusal.status, refusal.json.error], [400, 'invalid_grant']);
    assert.equal((await ask()).status, 200);
  });

  test('of kind goaway serves earlier streams and refuses the current and later streams', async () => {
    await using connection = await open();
    const earlier = send(connection, 'slow-1');
    while (simulator.arrived('slow-1').length === 0) await wait(5);
    await call('POST', '/faults', { kind: 'goaway', requests: 1 });
    const later = await Promise.all(['live-2', 'live-3'].map((token) => send(connection, token)));
    assert.deepEqual(
      later.map((result) => result.resetCode),
      [constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_REFUSED_STREAM],
    );
    assert.equal((await earlier).status, 200);
    assert.deepEqual([...simulator.arrived('live-2'), ...simulator.arrived('live-3')], []);
  });

  test('of kind goaway refuses even the first stream of a connection, and closes the connection', {
    timeout: 10_000,
  }, async () => {
    await using connection = await open();
    await call('POST', '/faults', { kind: 'goaway', requests: 1 });
    const result = await send(connection, 'live-1');
    assert.deepEqual([result.status, result.resetCode], [undefined, constants.NGHTTP2_REFUSED_STREAM]);
    while ((await call('GET', '/counts')).json.send.connections.open > 0) await wait(20);
    await using next = await open();
    assert.equal((await send(next, 'live-1')).status, 200);
  });

  test('of kind reset resets the TCP connection', async () => {
    await using connection = await open();
    await call('POST', '/faults', { kind: 'reset', requests: 1 });
    const result = await send(connection, 'live-1');
    assert.deepEqual([result.status, result.errorCode], [undefined, 'ECONNRESET']);
    assert.ok(connection.destroyed);
    assert.deepEqual(simulator.arrived(), []);
  });

  test('of kind stall reads the request and never responds', async () => {
    await using connection = await open();
    await call('POST', '/faults', { kind: 'stall', requests: 1 });
    const result = send(connection, 'live-1').then(() => 'answered');
    assert.equal(await Promise.race([result, wait(300, 'silent')]), 'silent');
    assert.deepEqual(simulator.arrived(), []);
  });

  test('of kind truncate cuts the response, although the message may have been delivered', async () => {
    await using connection = await open();
    await call('POST', '/faults', { kind: 'truncate', requests: 2 });
    const accepted = await send(connection, 'live-cut');
    assert.deepEqual([accepted.status, accepted.errorCode], [200, 'ERR_HTTP2_STREAM_ERROR']);
    assert.equal(simulator.arrived('live-cut').length, 1);
    const refused = await send(connection, 'dead-1');
    assert.deepEqual([refused.status, refused.json], [404, undefined]);
    assert.match(refused.text, /^\{"error":/);
  });

  test('has the same effect over HTTP/1.1, where goaway closes the connection', async () => {
    await using client = new HttpsClient(simulator.caPem);
    const old = () => client.post(simulator.sendUrl + PATH, messageTo('live-old'), headers);
    for (const kind of ['goaway', 'reset']) {
      await call('POST', '/faults', { kind, requests: 1 });
      assert.equal((await old()).errorCode, 'ECONNRESET');
    }
    await call('POST', '/faults', { kind: 'truncate', requests: 1 });
    const cut = await old();
    assert.deepEqual([cut.status, cut.isComplete], [200, false]);
    await call('POST', '/faults', { kind: 'outage', requests: 1 });
    assert.equal((await old()).status, 503);
    await call('POST', '/faults', { kind: 'stall', requests: 1 });
    assert.equal(await Promise.race([old().then(() => 'answered'), wait(300, 'silent')]), 'silent');
  });
});

test('delivers nothing if the sender disconnects in the middle of a message', async () => {
  await using connection = await open();
  const stream = connection.request({ ':method': 'POST', ':path': PATH, ...headers });
  stream.on('error', () => {});
  stream.write(messageTo('live-gone').slice(0, 20));
  await wait(50); // until the server has received the first chunk
  stream.destroy(); // `close` would end the message normally first
  while ((await call('GET', '/counts')).json.send.requests.gone === undefined) await wait(10);
  assert.deepEqual(simulator.arrived(), []);
  assert.equal((await send(connection, 'live-1')).status, 200);
});

test('leaves no server running if a port is in use', async () => {
  const controlPort = Number(new URL(simulator.controlUrl).port);
  await assert.rejects(startFcmSimulator({ controlPort }), { code: 'EADDRINUSE' });
});
