import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';

const GENERATED = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the request ID of a response', () => {
  let carillon: Carillon;
  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const urlOf = (path: string) => `${carillon.apis[0]?.apiUrl}${path}`;
  const idOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(urlOf(path), init)).headers.get('x-request-id') ?? '';

  test('is present for successes, errors, unknown paths, documents and callbacks', async () => {
    const { headers } = await carillon.post('/push/task/list', {});
    const ids = [
      headers.get('x-request-id') ?? '',
      await idOf('/push/notify', { method: 'POST' }),
      await idOf('/push/notify', {
        method: 'POST',
        headers: { app_id: carillon.appId, 'content-type': 'x/y' },
        body: 'x',
      }),
      await idOf('/no/such/operation'),
      await idOf('/push/notify'),
      await idOf('/%ff'),
      await idOf('/openapi.json'),
      await idOf('/callback/huawei/unknown', { method: 'POST', body: '{}' }),
    ];
    for (const [i, id] of ids.entries()) assert.match(id, GENERATED, `request ${i}`);
    assert.equal(new Set(ids).size, ids.length);
  });

  test('is present for bytes that are not HTTP', async () => {
    const { hostname, port } = new URL(urlOf('/'));
    const socket = connect(Number(port), hostname);
    socket.end('no HTTP\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 [\s\S]*\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  });

  test('is the ID of the request if that is safe, and generated otherwise', async () => {
    for (const id of ['a', 'order-4711.retry_2:b', 'x'.repeat(64)])
      assert.equal(await idOf('/push/notify', { method: 'POST', headers: { 'x-request-id': id } }), id);
    for (const id of ['', 'x'.repeat(65), 'a b', '<script>', 'a, b', 'é'])
      assert.match(await idOf('/push/notify', { method: 'POST', headers: { 'x-request-id': id } }), GENERATED, id);
  });

  test('does not change the idempotency of a notification', async () => {
    const headers = { 'x-request-id': 'same' };
    const body = { audience: { user_id: [1] }, message: { title: 't' } };
    const [first, second] = [
      await carillon.post('/push/notify', body, { headers }),
      await carillon.post('/push/notify', body, { headers }),
    ];
    assert.notDeepEqual(first.data, second.data);
  });

  test('is counted with operation and outcome, in a bounded set of labels', async () => {
    await carillon.post('/push/task/list', {});
    await carillon.tryPost('/push/task/list', { limit: 'x' });
    for (let i = 0; i < 20; i++) await fetch(urlOf(`/path-of-a-scanner-${i}`));
    const api = carillon.apis[0];
    await eventually(async () => {
      const page = await (await fetch(`${api?.healthUrl}/metrics`)).text();
      const requests = [...page.matchAll(/^carillon_requests_total\{operation="([^"]*)",outcome="([^"]*)"\} (\d+)$/gm)];
      const countOf = (operation: string, outcome: string) =>
        Number(requests.find(([, path, result]) => path === operation && result === outcome)?.[3] ?? 0);
      assert.ok(countOf('/push/task/list', 'ok') >= 1);
      assert.ok(countOf('/push/task/list', 'rejected') >= 1);
      assert.ok(countOf('unknown', 'rejected') >= 20);
      assert.doesNotMatch(page, /scanner/);
      assert.match(page, /^carillon_request_seconds_count\{operation="\/push\/task\/list"\} \d+$/m);
    });
  });
});
