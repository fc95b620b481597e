import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { startChromium } from '../support/chromium.ts';

const SHOP = 'https://shop.example.com';
const OTHER = 'https://other.example.com';

describe('CORS', () => {
  const parts = new AsyncDisposableStack();
  let carillon: Carillon;
  let login: Login;
  let otherApp: Readonly<Record<string, string>>;

  before(async () => {
    carillon = parts.use(await startCarillon());
    login = await carillon.logIn(await carillon.createUser('ada'), 'a-browser');
    await carillon.addApp('other');
    otherApp = { app_id: 'other' };
    await carillon.post('/admin/app/update', { cors_origins: [SHOP] });
    await carillon.storage.home.query(`update apps set cors_origins = $1 where app_id = 'other'`, [[OTHER]]);
  });
  after(() => parts.disposeAsync());

  const apiUrl = () => (carillon.apis[0] as RoleProcess).apiUrl;
  const corsHeaders = ({ headers }: { headers: Headers }) =>
    Object.fromEntries([...headers].filter(([name]) => name === 'vary' || name.startsWith('access-control-')));
  const preflight = (path: string, origin: string, method = 'POST') =>
    fetch(`${apiUrl()}${path}`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });
  const listDevices = (options: { origin?: string; token?: string | null; headers?: Record<string, string> } = {}) => {
    const { origin = SHOP, token = login.token, headers = {} } = options;
    return carillon.tryPost('/device/list', {}, { token, headers: { origin, ...headers } });
  };

  test('accepts a preflight request for an operation of users, and lists no headers of admins', async () => {
    const response = await preflight('/device/list?limit=1', SHOP);
    assert.equal(response.status, 204);
    assert.deepEqual(corsHeaders(response), {
      'access-control-allow-headers': 'access-token, app_id, content-type',
      'access-control-allow-methods': 'POST',
      'access-control-allow-origin': SHOP,
      'access-control-max-age': '600',
      vary: 'origin',
    });
  });

  test('rejects a preflight request of an unknown origin, for an operation of admins, or for another method', async () => {
    const rejected = await Promise.all([
      preflight('/device/list', 'https://evil.example.com'),
      preflight('/device/list', 'null'),
      preflight('/device/list', `${SHOP}.evil.example.com`),
      preflight('/admin/user/create', SHOP),
      preflight('/nowhere', SHOP),
      preflight('/device/list', SHOP, 'DELETE'),
    ]);
    for (const response of rejected) {
      assert.ok(response.status >= 404, `${response.status}`);
      assert.deepEqual(corsHeaders(response), {});
    }
  });

  test('lets a page of an allowed origin read successful and failed responses', async () => {
    const headers = {
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': 'carillon-ignored-fields, carillon-request, retry-after, x-request-id',
      vary: 'origin',
    };
    const listed = await listDevices();
    assert.equal(listed.code, 200);
    assert.deepEqual(corsHeaders(listed), headers);
    const rejected = await listDevices({ token: 'cu_wrong' });
    assert.equal(rejected.code, 10008);
    assert.deepEqual(corsHeaders(rejected), headers);
  });

  test('sends no CORS header to an origin of another app, for an admin token, or for an operation of admins', async () => {
    assert.deepEqual(corsHeaders(await listDevices({ origin: OTHER })), {});
    assert.deepEqual(corsHeaders(await listDevices({ headers: otherApp })), {});
    const headers = { origin: SHOP };
    assert.deepEqual(corsHeaders(await carillon.post('/push/task/list', {}, { headers })), {});
    assert.deepEqual(corsHeaders(await carillon.post('/admin/app/get', {}, { headers })), {});
    assert.deepEqual(corsHeaders(await carillon.tryPost('/admin/app/get', {}, { token: login.token, headers })), {});
  });

  test('a page of another origin in Chromium can call the API only after its origin was added', async () => {
    await using chromium = await startChromium();
    const pages = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>page'));
    parts.defer(() => void pages.close());
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const page = await chromium.openPage(origin);
    const call = (path: string) =>
      page.evaluate(`fetch(${JSON.stringify(apiUrl() + path)}, {
        method: 'POST',
        headers: { app_id: 'bells', 'access-token': ${JSON.stringify(login.token)}, 'content-type': 'application/json' },
        body: '{}',
      }).then((response) => response.json()).then(({ code }) => code, (error) => error.name)`);
    assert.equal(await call('/device/list'), 'TypeError');
    await carillon.post('/admin/app/update', { cors_origins: [SHOP, origin] });
    assert.equal(await call('/device/list'), 200);
    assert.equal(await call('/admin/app/get'), 'TypeError');
  });
});
