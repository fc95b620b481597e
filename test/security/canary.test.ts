import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { seal } from '#src/foundation/sealed-box.ts';
import { certificateContext, saveCertificate } from '#src/storage/accounts/certificates.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';

const canary = (name: string) => `canary-${name}-${randomBytes(6).toString('hex')}`;

describe('secrets in logs, errors and metrics', () => {
  let carillon: Carillon;
  const secrets: string[] = [];
  const masterKeys = newMasterKeys('test');

  before(async () => {
    carillon = await startCarillon({
      apis: 1,
      gateways: 1,
      workers: 1,
      settings: { ...masterKeys, CARILLON_LOG_LEVEL: 'debug' },
    });
    secrets.push(...Object.values(masterKeys).map((key) => key.replace('test:', '')), carillon.adminToken);
  });
  after(() => carillon[Symbol.asyncDispose]());

  /** Codes and messages of all error responses. */
  const refusals: string[] = [];

  async function tryCall(path: string, body: object, token: string | null): Promise<void> {
    const { code, message } = await carillon.tryPost(path, body, { token });
    if (code !== 200) refusals.push(`${code} ${message}`);
  }

  test('logs, errors and metrics contain no canary value of any secret field', async () => {
    const password = canary('password');
    const user = { ...(await carillon.createUser('ada')), password: 'ada-password' };
    const login = await carillon.logIn(user, 'phone');
    const wrongToken = canary('token');
    const vendorToken = canary('vendor-token');
    const appSecret = canary('app-secret');
    const certificate = canary('certificate');
    secrets.push(password, login.token, wrongToken, vendorToken, appSecret, certificate);

    // Invalid requests of every kind that could cause the server to report details.
    await tryCall('/token/id', { user_id: user.userId, password }, null);
    await tryCall('/token/user', { name: 'ada', password: [password] }, null);
    await tryCall('/token/login', { login_name: 'nobody', password }, null);
    await tryCall('/push/notify', { audience: 'all', message: { body: 'x' } }, wrongToken);
    await tryCall('/push/notify', { audience: { user_id: [login.token] }, message: {} }, carillon.adminToken);
    await tryCall('/device/bind', { provider: 1, token: 7 }, login.token);
    await tryCall('/device/bind', { provider: 99, token: vendorToken }, login.token);

    // Unusable credentials, and a device that can only be reached with them.
    const { credentials } = carillon.keyrings;
    const row = { appId: carillon.appId, channel: 'apns', environment: 1 } as const;
    await saveCertificate(carillon.storage.home, {
      ...row,
      name: 'canary',
      vendorAppId: 'com.example',
      appKey: 'KEY',
      appSecret: seal(credentials, certificateContext(row, 'app_secret'), appSecret),
      certificate: seal(credentials, certificateContext(row, 'certificate'), certificate),
      expiresAt: null,
      perSecond: null,
    });
    await carillon.post('/device/bind', { provider: 1, token: vendorToken }, { token: login.token });
    const taskId = await carillon.notify(
      { user_id: [user.userId] },
      { body: 'x' },
      { distribution_strategy: 'ospush_only' },
    );
    await eventually(async () => {
      const [row] = (
        await Promise.all(
          carillon.storage.shards.all.map((db) =>
            db.query<{ attempts: number }>('select attempts from slices where task_id = $1', [taskId]),
          ),
        )
      ).flat();
      assert.ok((row?.attempts ?? 0) > 0, 'a send to the vendor was attempted');
    });
    // A device that connects with wrong credentials.
    await assert.rejects(
      connectDevice(carillon.gateways[0] as RoleProcess, { ...login, token: wrongToken }),
      'the gateway rejects the device',
    );

    const roles = [...carillon.apis, ...carillon.gateways, ...carillon.workers];
    const metrics = await Promise.all(roles.map(async (role) => (await fetch(`${role.healthUrl}/metrics`)).text()));
    const outputs = { logs: carillon.logLines.join('\n'), errors: refusals.join('\n'), metrics: metrics.join('\n') };
    assert.ok(carillon.logLines.length > 5, 'there are log lines to check');
    assert.ok(refusals.length >= 7, 'there are rejections to check');
    for (const [where, text] of Object.entries(outputs))
      for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} is in the ${where}`);
  });
});
