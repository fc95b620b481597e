import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';

describe('envelopes of rejected requests', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ apis: 1, gateways: 0, workers: 0 });
  });
  after(() => carillon[Symbol.asyncDispose]());

  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${carillon.apis[0]?.apiUrl}${path}`, {
      ...init,
      headers: { app_id: carillon.appId, 'access-token': carillon.adminToken, ...init.headers },
    });
    const { code } = (await response.json()) as { code: number };
    return [response.status, code];
  };

  test('rejects a body of 8 MB as too large, every time', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(8 << 20)}"` };
    for (let i = 0; i < 20; i++) assert.deepEqual(await call('/push/notify', init), [413, 12009]);
  });

  for (const provider of ['0x1', '1e0', '1.0', '%201', '+1', '', '1&provider=1'])
    test(`rejects provider=${provider}, which is not an integer`, async () => {
      assert.deepEqual(await call(`/push/certificate?provider=${provider}`), [400, 10002]);
    });

  test('returns status 200 for unknown paths and wrong methods if http_errors is always200', async () => {
    await carillon.storage.home.query(`update apps set http_errors = 'always200'`);
    const later = await startLater();
    assert.deepEqual(await later('/nowhere'), [200, 10006]);
    assert.deepEqual(await later('/push/notify'), [200, 10006]);
  });

  /** Starts a new API process, which has not cached the app with its old setting. */
  async function startLater() {
    const api = await carillon.start('api');
    return async (path: string) => {
      const response = await fetch(`${api.apiUrl}${path}`, { headers: { app_id: carillon.appId } });
      return [response.status, ((await response.json()) as { code: number }).code];
    };
  }
});
