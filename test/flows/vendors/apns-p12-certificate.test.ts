import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

/** A file from the simulator, in the form in which Apple's Keychain exports it. */
interface KeychainFile {
  readonly p12: string;
  readonly passphrase: string;
  readonly topic: string;
  readonly expires_at: number;
}

interface Listed {
  readonly provider: number;
  readonly environment: number;
  readonly expire: number | null;
  readonly version: number;
}

describe('a p12 file from the Keychain', () => {
  let carillon: Carillon;
  let file: KeychainFile;
  let userId: bigint;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 1 });
    file = await keychainFile('environment=production');
    userId = await addUser(carillon.storage.home, carillon.appId);
    await addDevice(carillon.storage, { appId: carillon.appId, userId, deviceGuid: 'phone', apnsToken: 'live-p12' });
    // Delete the APNs key that is saved by default, so that only the p12 file can be used.
    await carillon.post('/admin/certificate/delete', { provider: 1, environment: 1 });
  });
  after(() => carillon[Symbol.asyncDispose]());

  async function keychainFile(query: string): Promise<KeychainFile> {
    const response = await fetch(`${carillon.apns.facts.control_url}/p12?${query}`);
    assert.equal(response.status, 200);
    return (await response.json()) as KeychainFile;
  }

  const save = (from: KeychainFile, changed: object = {}) =>
    carillon.tryPost<Listed & { app_id: string }>('/admin/certificate/save', {
      provider: 1,
      name: 'from the Keychain',
      app_secret: from.passphrase,
      certificate: from.p12,
      ...changed,
    });

  const notify = () =>
    carillon.notify({ user_id: [userId] }, { body: 'by certificate' }, { distribution_strategy: 'ospush_only' });

  test('is rejected with a wrong passphrase, for the other environment, for another app, and after it has expired', async () => {
    for (const [answer, why] of [
      [await save(file, { app_secret: 'wrong' }), /passphrase/],
      [await save(file, { app_id: 'com.example.other' }), /app_id|bundle/i],
      [await save(await keychainFile('environment=sandbox')), /environment|development|sandbox/i],
      [await save(await keychainFile('environment=production&expired=1')), /expired/],
      [await save(file, { certificate: 'bm90IGEgcDEy' }), /certificate/],
    ] as const) {
      assert.deepEqual([answer.code, answer.data], [10002, null]);
      assert.match(String(answer.message), why);
    }
    const { data } = await carillon.post<Listed[]>('/admin/certificate/list', {});
    assert.deepEqual(
      data.filter(({ environment }) => environment === 1),
      [],
    );
  });

  test('is accepted as it was exported, and is used to send notifications', async () => {
    const { code, data, message } = await save(file);
    assert.equal(code, 200, String(message));
    assert.equal(data.app_id, file.topic, 'the bundle ID is read from the certificate');
    assert.equal(data.expire, Math.floor(file.expires_at / 1_000) * 1_000);
    const taskId = await notify();
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 0] }));
    const arrived = await carillon.apnsNotificationsFor('live-p12');
    assert.deepEqual(
      arrived.map(({ collapse_id }) => collapse_id),
      [taskId.toString()],
    );
  });

  test('gets a new version when it is saved again, and nothing is sent after it is deleted', async () => {
    const { data: before } = await carillon.post<Listed[]>('/admin/certificate/list', {});
    const again = await save(await keychainFile('environment=production'));
    assert.equal(again.data.version, 1 + (before.find(({ environment }) => environment === 1)?.version ?? 0));
    const taskId = await notify();
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 0] }));

    await carillon.post('/admin/certificate/delete', { provider: 1 });
    await eventually(async () => {
      const none = await notify();
      await waitUntilFinished(carillon.storage, none);
      assert.deepEqual(await carillon.counters(none), {});
    });
  });
});
