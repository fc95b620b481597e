import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../scripts/dev/seed.ts';
import { type ApiResponse, type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { REVOKED_SECONDS_MAX, TOKEN_INVALID } from '../support/revocation-limits.ts';

/**
 * A change at one API process reaches the second process within seconds. Limits are stored in the database, so they
 * apply immediately.
 */

/** Maximum delay in seconds: a process caches an app for two seconds, and the requests take up to one more second. */
const SETTINGS_SECONDS_MAX = 3;

let carillon: Carillon;
let operator: string;
before(async () => {
  carillon = await startCarillon({ apis: 2, gateways: 0, workers: 0 });
  operator = await seedAdminToken(carillon.storage.home, carillon.appId, ['*', 'platform']);
});
after(() => carillon[Symbol.asyncDispose]());

interface App {
  readonly here: <T>(path: string, body?: object, token?: string) => Promise<ApiResponse<T>>;
  readonly there: <T>(path: string, body?: object, token?: string) => Promise<ApiResponse<T>>;
}

/**
 * Creates an app, and returns functions that call each API process as its admin. Both processes have cached the admin
 * token.
 */
async function createApp(appId: string): Promise<App> {
  const made = await carillon.post<{ admin_token: string }>(
    '/admin/app/create',
    { new_app_id: appId, name: appId },
    { token: operator },
  );
  const at =
    (n: number): App['here'] =>
    (path, body = {}, token = made.data.admin_token) =>
      carillon.tryPost(path, body, { token, api: carillon.apis[n] as RoleProcess, headers: { app_id: appId } });
  const app = { here: at(0), there: at(1) };
  for (const call of [app.here, app.there]) assert.equal((await call('/admin/app/get')).code, 200);
  return app;
}

describe('second API process', () => {
  test('applies changed app settings within three seconds', async () => {
    const { here, there } = await createApp('settings');
    await here('/admin/app/update', { token_days: 3, http_errors: 'always200', registration: true });
    await eventually(async () => {
      const { data } = await there<Record<string, unknown>>('/admin/app/get');
      assert.deepEqual([data.token_days, data.http_errors, data.registration], [3, 'always200', true]);
      const refused = await there('/admin/token/revoke', { token_id: 1 });
      assert.deepEqual([refused.status, refused.code], [200, 10002]);
    }, SETTINGS_SECONDS_MAX);
  });

  test('rejects a revoked admin token within five seconds', async () => {
    const { here, there } = await createApp('revoked');
    const body = { name: 'backend', scopes: ['manage'] };
    const { data } = await here<{ token_id: number; token: string }>('/admin/token/create', body);
    assert.equal((await there('/admin/app/get', {}, data.token)).code, 200);
    await here('/admin/token/revoke', { token_id: data.token_id });
    await eventually(
      async () => assert.equal((await there('/admin/app/get', {}, data.token)).code, TOKEN_INVALID),
      REVOKED_SECONDS_MAX,
    );
  });

  test('rejects requests for a disabled app, and accepts them again after the app is enabled', async () => {
    const { there } = await createApp('shut');
    const target = { target_app_id: 'shut' };
    await carillon.post('/admin/app/disable', target, { token: operator });
    await eventually(async () => assert.equal((await there('/admin/app/get')).code, 40000), REVOKED_SECONDS_MAX);
    await carillon.post('/admin/app/enable', target, { token: operator });
    await eventually(async () => assert.equal((await there('/admin/app/get')).code, 200), SETTINGS_SECONDS_MAX);
  });
});
