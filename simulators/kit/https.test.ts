import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createServerIdentity } from './certificate.ts';
import { Counts } from './counts.ts';
import { type HttpsRequest, jsonResponse, type SimulatedResponse, startHttps } from './https.ts';
import type { Listener } from './loopback.ts';
import { HttpsClient } from './test-client.ts';

const identity = createServerIdentity(Date.now());
const counts = new Counts(['send']);
const served: HttpsRequest[] = [];
let listener: Listener;

const successResult = {
  kind: 'answer',
  label: '200 fine',
  response: jsonResponse(200, { text: 'a whole answer' }),
} as const;
const endings: Readonly<Record<string, SimulatedResponse>> = {
  '/whole': successResult,
  '/cut': { ...successResult, isCut: true },
  '/late': { ...successResult, afterMs: 200 },
  '/stall': { kind: 'stall' },
  '/reset': { kind: 'reset' },
};

before(async () => {
  const serve = (request: HttpsRequest) => {
    served.push(request);
    return endings[request.path] ?? successResult;
  };
  listener = await startHttps({ identity, port: 0, endpoint: 'send', counts, serve });
});
after(() => listener.stop());

describe('simulated HTTPS server', () => {
  test('serves several requests on one connection, with method, path, query, headers and body', async () => {
    await using client = new HttpsClient(identity.caPem);
    const before = counts.snapshot().send.connections.opened;
    for (let index = 0; index < 3; index += 1) {
      const { status, json } = await client.post(`${listener.url}/whole?n=${index}`, 'hello', { 'X-Word': 'w' });
      assert.deepEqual([status, json], [200, { text: 'a whole answer' }]);
    }
    assert.equal(counts.snapshot().send.connections.opened, before + 1);
    const request = served.at(-1);
    assert.deepEqual(
      [request?.method, request?.path, request?.query.get('n'), request?.headers['x-word'], String(request?.body)],
      ['POST', '/whole', '2', 'w', 'hello'],
    );
  });

  test('cuts a response in the middle', async () => {
    await using client = new HttpsClient(identity.caPem);
    const { status, text, isComplete } = await client.post(`${listener.url}/cut`, '');
    assert.deepEqual([status, isComplete], [200, false]);
    assert.equal(text, '{"text":"a w');
    assert.equal(counts.snapshot().send.requests.cut, 1);
  });

  test('delays a response', async () => {
    await using client = new HttpsClient(identity.caPem);
    const start = performance.now();
    assert.equal((await client.post(`${listener.url}/late`, '')).status, 200);
    assert.ok(performance.now() - start >= 190);
  });

  test('resets the connection or never responds', async () => {
    await using client = new HttpsClient(identity.caPem);
    assert.equal((await client.post(`${listener.url}/reset`, '')).errorCode, 'ECONNRESET');
    const answered = client.post(`${listener.url}/stall`, '').then(() => 'answered');
    assert.equal(await Promise.race([answered, wait(300, 'silent')]), 'silent');
  });

  test('rejects a body over its limit without storing it, and serves the next request', async () => {
    await using client = new HttpsClient(identity.caPem);
    const before = served.length;
    assert.equal((await client.post(`${listener.url}/whole`, 'x'.repeat(8_388_609))).status, 413);
    assert.equal(served.length, before);
    assert.equal((await client.post(`${listener.url}/whole`, 'x'.repeat(8_388_608))).status, 200);
  });

  test('does not serve a request whose sender disconnects', async () => {
    await using client = new HttpsClient(identity.caPem);
    const before = served.length;
    const request = client.open(`${listener.url}/whole`, { 'content-length': '10' });
    request.write('half');
    await once(request, 'socket');
    await wait(50); // until the server has received the first chunk
    request.destroy();
    while (counts.snapshot().send.requests.gone === undefined) await wait(10);
    assert.equal(served.length, before);
  });
});
