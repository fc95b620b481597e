import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CarillonError, Carillon as Client } from '../../../sdk/src/index.ts';
import { type Carillon, startCarillon, type TestUser } from '../../support/carillon.ts';

const command = fileURLToPath(new URL('../../../cli/carillon.ts', import.meta.url));

describe('SDK and CLI with a running service', () => {
  let service: Carillon;
  let ada: TestUser;
  let admin: Client;

  before(async () => {
    service = await startCarillon();
    ada = await service.createUser('ada');
    const url = service.apis[0]?.apiUrl as string;
    admin = new Client({ url, appId: service.appId, token: service.adminToken });
  });
  after(() => service[Symbol.asyncDispose]());

  test('the SDK logs in, sends a notification and reads its counters', async () => {
    const login = await admin.token.id({ user_id: ada.userId, password: ada.password, device_guid: 'a-phone' });
    assert.equal(login.user_id, ada.userId);
    assert.ok(login.expire > BigInt(Date.now()));

    const { task_id } = await admin.push.notify({
      audience: { user_id: [ada.userId, 2n ** 63n - 1n] },
      message: { title: 'Hello', ext: { id: 9007199254740993n } },
    });
    const [record] = await admin.push.task.detail({ list: [task_id] });
    assert.equal(record?.task_id, task_id);
    assert.equal(typeof record?.nativepush_target, 'bigint');

    const user = admin.as({ token: login.token });
    await assert.rejects(user.push.notify({ audience: 'all', message: { title: 'Hello' } }), (error) => {
      assert.ok(error instanceof CarillonError);
      assert.deepEqual([error.code, error.status], [10010, 403]);
      return true;
    });
    assert.equal((await user.push.certificate({ provider: 1 })).certificate, '');
  });

  test('the SDK reports that a request id was used before', async () => {
    const request = {
      audience: { user_id: [ada.userId] },
      setting: { request_id: 'once' },
      message: { title: 'Hello' },
    };
    const first = await admin.call('/push/notify', request);
    const second = await admin.call('/push/notify', request);
    assert.equal(first.headers.get('carillon-request'), null);
    assert.deepEqual([second.data, second.headers.get('carillon-request')], [first.data, 'repeated']);
  });

  test('the SDK manages users with IDs above 2^53', async () => {
    const user_id = 9007199254740993n;
    assert.deepEqual(await admin.admin.user.create({ user_id, name: 'grace' }), { user_id });
    const { name, mobile, created_at } = await admin.admin.user.find({ user_id });
    assert.deepEqual([name, mobile, typeof created_at], ['grace', null, 'bigint']);
    const { token } = await admin.admin.user.token({ user_id, device_guid: 'another-phone' });
    assert.deepEqual((await admin.as({ token }).device.tag({ add: ['news'] })).tags, ['news']);
    const [device] = await admin.as({ userId: user_id }).device.list();
    assert.deepEqual([device?.user_id, device?.device_guid], [user_id, 'another-phone']);
  });

  test('the CLI logs in, sends a notification and reads its task', async () => {
    const carillon = async (...args: string[]): Promise<unknown> => {
      const env = {
        CARILLON_URL: service.apis[0]?.apiUrl,
        CARILLON_APP_ID: service.appId,
        CARILLON_ADMIN_TOKEN: service.adminToken,
      };
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...args, '--json'], { env });
      return JSON.parse(stdout);
    };
    const { user_id } = (await carillon('login', '--login-name', ada.name, '--password', ada.password)) as {
      user_id: number;
    };
    assert.equal(BigInt(user_id), ada.userId);
    const audience = `{"user_id":[${ada.userId}]}`;
    const sent = await carillon('push', 'notify', '--audience', audience, '--message', '{"title":"Hello"}');
    const { task_id } = sent as { task_id: number };
    const [record] = (await carillon('task', 'detail', task_id.toString())) as { task_id: number }[];
    assert.equal(record?.task_id, task_id);
  });
});
