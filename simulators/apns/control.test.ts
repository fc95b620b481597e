import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type ApnsSimulator, startApnsSimulator } from './simulator.ts';
import { openConnection, push, validHeaders } from './test-client.ts';

let simulator: ApnsSimulator;
let headers: Record<string, string>;

before(async () => {
  simulator = await startApnsSimulator({ slowMs: 200, arrivedMax: 50 });
  headers = validHeaders(simulator);
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

describe('control API', () => {
  test('lists delivered pushes, optionally for one token, and deletes them', async () => {
    await using connection = await openConnection(simulator);
    await push(connection, { token: 'live-a', headers });
    await push(connection, { token: 'live-b', headers });
    const { json } = await call('GET', '/arrived');
    assert.deepEqual(
      [json.total, json.arrived.map((each: { token: string }) => each.token)],
      [2, ['live-a', 'live-b']],
    );
    assert.equal((await call('GET', '/arrived?token=live-b')).json.arrived[0].token, 'live-b');
    assert.equal((await call('GET', '/arrived?limit=1')).json.arrived[0].token, 'live-b');
    assert.equal((await call('DELETE', '/arrived')).status, 204);
    assert.equal((await call('GET', '/arrived')).json.total, 0);
  });

  test('keeps only the newest pushes', async () => {
    await using connection = await openConnection(simulator);
    for (let index = 0; index < 53; index += 1) await push(connection, { token: `live-${index}`, headers });
    const tokens = simulator.arrived().map((each) => each.token);
    assert.deepEqual([tokens.length, tokens[0], tokens.at(-1)], [50, 'live-3', 'live-52']);
  });

  test('counts every token per collapse id, including pushes that are no longer in the list', async () => {
    await using fresh = await startApnsSimulator({ arrivedMax: 1, talliedMax: 2 });
    await using connection = await openConnection(fresh);
    const collapsing = { ...validHeaders(fresh), 'apns-collapse-id': 'news' };
    const send = (token: string) => push(connection, { token, headers: collapsing });
    const began = Date.now();
    for (const token of ['live-1', 'live-2', 'live-1', 'dead-1']) await send(token);
    const read = async () => JSON.parse(await (await fetch(`${fresh.controlUrl}/tally`)).text());
    assert.deepEqual(await read(), { whole: true, tally: { news: { 'live-1': 2, 'live-2': 1 } } });
    const { news } = JSON.parse(await (await fetch(`${fresh.controlUrl}/tally/times`)).text());
    assert.ok(began <= news[0] && news[0] <= news[1] && news[1] <= Date.now(), `first and last push at ${news}`);
    await send('live-3');
    assert.equal((await read()).whole, false);
    await fetch(`${fresh.controlUrl}/arrived`, { method: 'DELETE' });
    assert.deepEqual(await read(), { whole: true, tally: {} });
  });

  test('counts connections, and counts requests by response', async () => {
    await using fresh = await startApnsSimulator();
    await using connection = await openConnection(fresh);
    const freshHeaders = validHeaders(fresh);
    for (const token of ['live-1', 'live-2', 'dead-1', 'half-1']) {
      await push(connection, { token, headers: freshHeaders });
    }
    const { production, sandbox } = JSON.parse(await (await fetch(`${fresh.controlUrl}/counts`)).text());
    assert.deepEqual(production.requests, { '200': 2, '410 Unregistered': 1, cut: 1 });
    assert.deepEqual(production.connections, { opened: 1, open: 1 });
    assert.deepEqual(sandbox, { connections: { opened: 0, open: 0 }, requests: {} });
  });

  test('assigns a device to one environment and one app', async () => {
    const device = { token: 'abcd', environment: 'sandbox', topic: 'com.example.carillon' };
    assert.equal((await call('POST', '/devices', device)).status, 204);
    assert.equal((await call('POST', '/devices', { ...device, token: 'live-9', topic: 'com.other' })).status, 204);
    await using production = await openConnection(simulator, 'production');
    await using sandbox = await openConnection(simulator, 'sandbox');
    assert.equal((await push(production, { token: 'abcd', headers })).reason, 'BadDeviceToken');
    assert.equal((await push(sandbox, { token: 'abcd', headers })).status, 200);
    assert.equal((await push(sandbox, { token: 'live-9', headers })).reason, 'DeviceTokenNotForTopic');
  });

  test('displays delivered pushes as notifications and escapes HTML', async () => {
    await using connection = await openConnection(simulator);
    const aps = { alert: { title: '<b>Sale</b>', body: 'Today & tomorrow' }, badge: 7 };
    await push(connection, { headers, body: JSON.stringify({ aps }) });
    const { status, text } = await call('GET', '/');
    assert.equal(status, 200);
    assert.match(text, /&#60;b&#62;Sale/);
    assert.match(text, /Today &#38; tomorrow/);
    assert.match(text, /<b>7<\/b>/);
  });

  const bad: readonly (readonly [string, string, string, unknown, number])[] = [
    ['an unknown path', 'GET', '/nothing', undefined, 404],
    ['an invalid path', 'GET', '//', undefined, 404],
    ['an unknown kind of fault', 'POST', '/faults', { kind: 'flood', requests: 1 }, 400],
    ['a fault without a limit', 'POST', '/faults', { kind: 'outage' }, 400],
    ['an invalid key', 'POST', '/keys', { key_id: 'ABCDEFGHIJ', team_id: 'ABCDEFGHIJ', public_key_pem: 'x' }, 400],
    ['a body that is not an object', 'POST', '/devices', 7, 400],
    ['a limit of 0', 'GET', '/arrived?limit=0', undefined, 400],
    ['a body that is too long', 'POST', '/keys', { key_id: 'x'.repeat(100_000) }, 400],
  ];
  for (const [what, method, path, body, status] of bad) {
    test(`rejects ${what} and returns an error message`, async () => {
      const reply = await call(method, path, body);
      assert.equal(reply.status, status);
      assert.equal(typeof reply.json.error, 'string');
    });
  }
});

describe('a fault', () => {
  const answers = [
    ['outage', 503, 'ServiceUnavailable'],
    ['throttle', 429, 'TooManyRequests'],
    ['wrong-credentials', 403, 'InvalidProviderToken'],
  ] as const;
  for (const [kind, status, reason] of answers) {
    test(`of kind ${kind} returns ${status} for the given number of requests`, async () => {
      await using connection = await openConnection(simulator);
      assert.equal((await call('POST', '/faults', { kind, requests: 2 })).status, 204);
      for (let index = 0; index < 2; index += 1) {
        const result = await push(connection, { headers });
        assert.deepEqual([result.status, result.reason], [status, reason]);
      }
      assert.equal((await push(connection, { headers })).status, 200);
      assert.equal(simulator.arrived().length, 1);
    });
  }

  test('ends after its duration, affects only its environment and can be deleted', async () => {
    await using connection = await openConnection(simulator);
    await call('POST', '/faults', { kind: 'outage', duration_ms: 50 });
    await wait(100);
    assert.equal((await push(connection, { headers })).status, 200);
    await call('POST', '/faults', { kind: 'outage', duration_ms: 60_000, environment: 'sandbox' });
    assert.equal((await push(connection, { headers })).status, 200);
    await call('POST', '/faults', { kind: 'outage', duration_ms: 60_000 });
    assert.equal((await push(connection, { headers })).status, 503);
    await call('DELETE', '/faults');
    assert.equal((await push(connection, { headers })).status, 200);
  });

  test('of kind goaway serves earlier streams and refuses the current and later streams', async () => {
    await using connection = await openConnection(simulator);
    await push(connection, { headers });
    const goaway = new Promise<string>((resolve) => {
      connection.once('goaway', (_code, _last, data) => resolve(String(data)));
    });
    const earlier = push(connection, { token: 'slow-1', headers });
    while (simulator.arrived('slow-1').length === 0) await wait(5); // the request is being served
    await call('POST', '/faults', { kind: 'goaway', requests: 1 });
    const later = await Promise.all(['live-2', 'live-3'].map((token) => push(connection, { token, headers })));
    assert.deepEqual(
      later.map((result) => result.resetCode),
      [constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_REFUSED_STREAM],
    );
    assert.equal(await goaway, '{"reason":"Shutdown"}');
    assert.equal((await earlier).status, 200);
    assert.deepEqual([...simulator.arrived('live-2'), ...simulator.arrived('live-3')], []);
  });

  test('of kind goaway refuses even the first stream of a connection, and closes the connection', {
    timeout: 10_000,
  }, async () => {
    await using connection = await openConnection(simulator);
    await call('POST', '/faults', { kind: 'goaway', requests: 1 });
    const result = await push(connection, { headers });
    assert.deepEqual([result.status, result.resetCode], [undefined, constants.NGHTTP2_REFUSED_STREAM]);
    while ((await call('GET', '/counts')).json.production.connections.open > 0) await wait(20);
    await using next = await openConnection(simulator);
    assert.equal((await push(next, { headers })).status, 200);
  });

  test('of kind reset resets the TCP connection', async () => {
    await using connection = await openConnection(simulator);
    await call('POST', '/faults', { kind: 'reset', requests: 1 });
    const result = await push(connection, { headers });
    assert.deepEqual([result.status, result.errorCode], [undefined, 'ECONNRESET']);
    assert.ok(connection.destroyed);
  });

  test('of kind stall reads the request and never responds', async () => {
    await using connection = await openConnection(simulator);
    await call('POST', '/faults', { kind: 'stall', requests: 1 });
    const result = push(connection, { headers }).then(() => 'answered');
    assert.equal(await Promise.race([result, wait(300, 'silent')]), 'silent');
    assert.deepEqual(simulator.arrived(), []);
  });

  test('of kind truncate cuts the response, although the push may have been delivered', async () => {
    await using connection = await openConnection(simulator);
    await call('POST', '/faults', { kind: 'truncate', requests: 2 });
    const accepted = await push(connection, { token: 'live-cut', headers });
    assert.deepEqual([accepted.status, accepted.errorCode], [200, 'ERR_HTTP2_STREAM_ERROR']);
    assert.equal(simulator.arrived('live-cut').length, 1);
    const refused = await push(connection, { token: 'dead-1', headers });
    assert.deepEqual([refused.status, refused.errorCode], [410, 'ERR_HTTP2_STREAM_ERROR']);
    assert.match(refused.text, /^\{"reason":"Unr.*[^}]$/);
  });
});
