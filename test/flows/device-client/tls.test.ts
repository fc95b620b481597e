import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { CarillonDevice, type DeviceEvents } from '../../../sdk/src/device/index.ts';
import { Carillon as Client } from '../../../sdk/src/index.ts';
import { createServerIdentity } from '../../../simulators/kit/certificate.ts';
import type { ServerIdentity } from '../../../simulators/kit/server-identity.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';

describe('device client over TLS', () => {
  const parts = new AsyncDisposableStack();
  let carillon: Carillon;
  let identity: ServerIdentity;

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'carillon-device-'));
    parts.defer(() => rm(directory, { recursive: true }));
    const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
    identity = createServerIdentity(Date.now());
    await writeFile(certificate, identity.certificatePem);
    await writeFile(key, identity.keyPem);
    const settings = { CARILLON_MQTT_TLS_CERTIFICATE_FILE: certificate, CARILLON_MQTT_TLS_KEY_FILE: key };
    carillon = parts.use(await startCarillon({ settings }));
  });
  after(() => parts.disposeAsync());

  for (const [protocol, listenerUrl] of [
    ['mqtts', 'mqttTlsUrl'],
    ['wss', 'webSocketUrl'],
  ] as const)
    test(`${protocol}: receives notifications from a trusted gateway, and does not connect to an untrusted one`, async () => {
      const gateway = (carillon.gateways[0] as RoleProcess)[listenerUrl];
      assert.match(gateway, new RegExp(`^${protocol}:`));
      const ada = await carillon.createUser(`ada-${protocol}`);
      const shown: bigint[] = [];
      const options = {
        carillon: new Client({ url: carillon.apis[0]?.apiUrl as string, appId: carillon.appId }),
        gateway,
        onNotification: ({ task_id }: { task_id: bigint }) => shown.push(task_id),
      };
      const device = await CarillonDevice.open({ ...options, ca: identity.caPem });
      const credentials = await device.login({ login_name: ada.name, password: ada.password });
      device.connect();
      await eventually(() => assert.equal(device.state, 'online'));
      const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'in private' });
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
      assert.deepEqual(shown, [taskId]);
      await device.disconnect();

      const mistrustful = await CarillonDevice.open(options);
      await mistrustful.use(credentials);
      const offlineEvents: DeviceEvents['offline'][] = [];
      mistrustful.on('offline', (event) => offlineEvents.push(event));
      mistrustful.on('online', () => assert.fail('connected to an untrusted gateway'));
      mistrustful.connect();
      await eventually(() => assert.notEqual(offlineEvents.length, 0));
      assert.match(offlineEvents[0]?.reason as string, /certificate/);
      assert.notEqual(offlineEvents[0]?.retryMs, undefined);
      await mistrustful.disconnect();
    });
});
