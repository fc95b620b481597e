import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { buildClient, type Language } from './generate.ts';

/** A double rounds the first ID to 2^53. The second is the largest int64. */
const USER_IDS = [2n ** 53n + 1n, 2n ** 63n - 1n];
const ROUNDED_ID = 2n ** 53n;

// Generating and compiling needs Java, Maven and Go, and takes minutes, so only `.ci/nightly` sets this variable.
const languages = (process.env.CARILLON_CLIENTS ?? '').split(',').filter(Boolean) as Language[];
const skip = languages.length === 0 && 'set CARILLON_CLIENTS=python,go,java to generate and run these clients';

describe('clients that openapi-generator generates', { skip }, () => {
  let carillon: Carillon;
  const devices: TestDevice[] = [];
  let roundedDevice: TestDevice;

  before(async () => {
    carillon = await startCarillon();
    for (const userId of USER_IDS) devices.push(await connect(userId));
    roundedDevice = await connect(ROUNDED_ID);
  });
  after(async () => {
    for (const device of [...devices, roundedDevice]) await device?.[Symbol.asyncDispose]();
    await carillon?.[Symbol.asyncDispose]();
  });

  async function connect(userId: bigint): Promise<TestDevice> {
    const name = `user-${userId}`;
    const password = 'nine bells at noon';
    await carillon.post('/admin/user/create', { user_id: userId, name, password });
    const login: Login = await carillon.logIn({ userId, name, password }, `phone-${userId}`);
    return connectDevice(carillon.gateways[0] as Carillon['gateways'][number], login);
  }

  for (const language of languages)
    test(`${language}: compiles, sends a push to exactly the given users, and returns exact ids`, async () => {
      const [file, ...args] = await buildClient(language);
      const { stdout } = await promisify(execFile)(file, args, {
        env: {
          ...process.env,
          CARILLON_URL: carillon.apis[0]?.apiUrl,
          CARILLON_APP_ID: carillon.appId,
          CARILLON_TOKEN: carillon.adminToken,
        },
      });
      const [taskId = '', ...userIds] = JSON.parse(stdout) as string[];
      assert.deepEqual(userIds.map(BigInt), USER_IDS);
      for (const device of devices) await eventually(() => assert.ok(device.taskIds.includes(taskId)));
      assert.deepEqual(roundedDevice.taskIds, []);
    });
});
