import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../scripts/dev/seed.ts';
import { addUser } from '../support/add-device.ts';
import { type ApiResponse, type CallOptions, type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { eventually as eventuallyWithin } from '../support/eventually.ts';

const NO_PERMISSION = 10010;
const TOO_MANY_REQUESTS = 12029;
const CEILING = 12030;
const ASK_OPERATOR = /Ask the operator of this installation/;
/** Processes exchange their counts at this interval, and every other interval of ceilings is at most as long. */
const COUNT_SECONDS = 1;
const MESSAGE = { body: 'hello' };
/** A count pauses for fifty times its duration, which is long on a busy machine. */
const EVENTUALLY_SECONDS_MAX = 60;
const eventually = <T>(check: () => Promise<T> | T) => eventuallyWithin(check, EVENTUALLY_SECONDS_MAX);

interface App {
  readonly appId: string;
  readonly token: string;
}

interface AppRecord {
  readonly ceilings: Readonly<Record<string, number>>;
  readonly usage: Readonly<Record<string, number>>;
}

describe('ceilings of an app', () => {
  let carillon: Carillon;
  /** The API processes. Each counts for itself, and they exchange their counts. */
  let one: RoleProcess;
  let two: RoleProcess;
  let operatorToken: string;
  let created = 0;

  before(async () => {
    const settings = { CARILLON_USAGE_COUNT_SECONDS: `${COUNT_SECONDS}`, CARILLON_APP_USERS_MAX: '7777' };
    carillon = await startCarillon({ apis: 2, gateways: 2, workers: 1, settings });
    [one, two] = carillon.apis as [RoleProcess, RoleProcess];
    operatorToken = await seedAdminToken(carillon.storage.home, carillon.appId, ['platform']);
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Creates an app with these ceilings, as the operator of the installation does. */
  async function createTenant(ceilings: object): Promise<App> {
    const appId = `tenant-${++created}`;
    const options = { token: operatorToken };
    const body = { new_app_id: appId, name: appId };
    const { data } = await carillon.post<{ admin_token: string }>('/admin/app/create', body, options);
    await carillon.tryPost('/admin/app/ceilings', { target_app_id: appId, ...ceilings }, options);
    return { appId, token: data.admin_token };
  }

  const tryAs = <T>({ appId, token }: App, path: string, body: object, options: CallOptions = {}) =>
    carillon.tryPost<T>(path, body, { token, ...options, headers: { app_id: appId } });

  async function as<T>(app: App, path: string, body: object, options: CallOptions = {}): Promise<T> {
    const { code, message, data } = await tryAs<T>(app, path, body, options);
    assert.equal(code, 200, `${path}: ${code} ${message}`);
    return data;
  }

  const notify = (app: App, message: object = MESSAGE, options: CallOptions = {}) =>
    tryAs<{ task_id: number }>(app, '/push/notify', { audience: 'all', message }, options);
  const inOneHour = () => ({ ...MESSAGE, show_begin_time: Math.floor(Date.now() / 1_000) + 3_600 });
  const readApp = (app: App) => as<AppRecord>(app, '/admin/app/get', {});
  const logIn = (app: App, userId: bigint | number, deviceGuid: string, options: CallOptions = {}) =>
    tryAs<Omit<Login, 'deviceGuid'>>(app, '/admin/user/token', { user_id: userId, device_guid: deviceGuid }, options);

  function assertAtCeiling({ code, status, message }: ApiResponse, ceiling: RegExp): void {
    assert.equal(code, CEILING, message ?? 'accepted');
    assert.equal(status, 429);
    assert.match(message ?? '', ASK_OPERATOR);
    assert.match(message ?? '', ceiling);
  }

  /** Other apps can still do everything that a ceiling of the tenant refuses. */
  async function assertOtherAppWorks(): Promise<void> {
    const other = { appId: carillon.appId, token: carillon.adminToken };
    const { user_id: userId } = await as<{ user_id: number }>(other, '/admin/user/create', {});
    const deviceGuid = `other-${userId}`;
    const login = { ...(await logIn(other, userId, deviceGuid)).data, deviceGuid };
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const { task_id: taskId } = (await notify(other)).data;
    await eventually(() => assert.ok(device.taskIds.includes(`${taskId}`)));
  }

  test('can be read, but not set by the tenant', async () => {
    const tenant = await createTenant({ devices: 5 });
    const { token: manageToken } = await as<{ token: string }>(tenant, '/admin/token/create', {
      ...{ name: 'manage', scopes: ['manage'] },
    });
    for (const token of [tenant.token, manageToken]) {
      const raise = { target_app_id: tenant.appId, devices: 1_000_000 };
      assert.equal((await tryAs({ ...tenant, token }, '/admin/app/ceilings', raise)).code, NO_PERMISSION);
      await tryAs({ ...tenant, token }, '/admin/app/update', { devices: 9, ceilings: { devices: 9 } });
      const { ceilings, usage } = await readApp({ ...tenant, token });
      assert.equal(ceilings.devices, 5);
      assert.equal(ceilings.users, 7_777, 'the default of the settings');
      assert.deepEqual(Object.keys(usage), ['open_tasks', 'users', 'devices', 'stored_bytes', 'sessions']);
    }
    const grants = { name: 'more', scopes: ['platform'] };
    assert.equal((await tryAs(tenant, '/admin/token/create', grants)).code, NO_PERMISSION);
  });

  test('a flood of one app is refused for this app alone', async () => {
    const perSecond = 5;
    const tenant = await createTenant({ notify_per_second: perSecond });
    await as(tenant, '/admin/app/update', { notify_per_second: 1_000_000 });
    const began = performance.now();
    const flood = await Promise.all(Array.from({ length: 100 }, () => notify(tenant)));
    const seconds = (performance.now() - began) / 1_000;
    const accepted = flood.filter(({ code }) => code === 200).length;
    assert.ok(accepted >= perSecond && accepted <= perSecond * (seconds + 1), `${accepted} in ${seconds} s`);
    const refused = flood.find(({ code }) => code !== 200);
    assert.equal(refused?.code, TOO_MANY_REQUESTS);
    assert.match(refused?.message ?? '', ASK_OPERATOR);
    assert.equal(refused?.headers.get('retry-after'), '1');
    await assertOtherAppWorks();
  });

  test('open tasks: further notifications are refused until others end, and accepted ones stay accepted', async () => {
    const tenant = await createTenant({ open_tasks: 5 });
    const taskIds: number[] = [];
    for (let i = 0; i < 5; i++) taskIds.push((await notify(tenant, inOneHour())).data.task_id);
    assertAtCeiling(await notify(tenant, inOneHour()), /open_tasks is 5/);
    await eventually(async () => assertAtCeiling(await notify(tenant, inOneHour(), { api: two }), /5/));
    await assertOtherAppWorks();
    const list = await as<{ list: unknown[] }>(tenant, '/push/task/list', {});
    assert.ok(list.list.length >= 5);
    await as(tenant, '/push/task/cancel', { task_id: taskIds[0] });
    await eventually(async () => assert.equal((await notify(tenant, inOneHour())).code, 200));
    await eventually(async () => assert.ok(((await readApp(tenant)).usage.open_tasks ?? 0) >= 5));
  });

  test('open tasks that end are not counted, also between two counts', async () => {
    const tenant = await createTenant({ open_tasks: 10 });
    for (let i = 0; i < 30; i++) {
      const { code, message } = await eventually(async () => {
        const response = await notify(tenant);
        assert.notEqual(response.code, CEILING);
        return response;
      });
      assert.equal(code, 200, message ?? '');
    }
  });

  test('users: no more can be created by any process, and deletion makes room', async () => {
    const tenant = await createTenant({ users: 6 });
    const create = (api: RoleProcess) => tryAs<{ user_id: number }>(tenant, '/admin/user/create', {}, { api });
    const userIds: number[] = [];
    for (let i = 0; i < 3; i++) userIds.push((await create(one)).data.user_id);
    await eventually(async () => assert.equal((await readApp(tenant)).usage.users, 3));
    await eventually(async () => assertAtCeiling(await create(two), /users is 6/));
    await eventually(async () => assertAtCeiling(await create(one), /users is 6/));
    const [row] = await carillon.storage.home.query<{ count: bigint }>('select count(*) from users where app_id = $1', [
      tenant.appId,
    ]);
    // The second process did not know the users of the first for at most one exchange of counts.
    assert.ok(Number(row?.count) >= 6 && Number(row?.count) <= 9, `${row?.count} users`);
    await as(tenant, '/admin/app/update', { registration: true });
    assertAtCeiling(await tryAs(tenant, '/user/register', { name: 'new', password: 'a password' }), /users is 6/);
    await assertOtherAppWorks();
    const all = await as<{ list: { user_id: number }[] }>(tenant, '/admin/user/list', {});
    for (const { user_id } of all.list.slice(1)) await as(tenant, '/admin/user/delete', { user_id });
    await eventually(async () => assert.equal((await create(one)).code, 200));
  });

  test('devices: a new device is refused, known devices can log in and be erased', async () => {
    const tenant = await createTenant({ devices: 3 });
    const [ada, bo] = await Promise.all([1, 2].map(() => addUser(carillon.storage.home, tenant.appId)));
    for (const guid of ['one', 'two', 'three']) assert.equal((await logIn(tenant, ada as bigint, guid)).code, 200);
    assertAtCeiling(await logIn(tenant, ada as bigint, 'four'), /devices is 3/);
    // The second process did not know the devices of the first for at most one exchange of counts.
    const guids = ['one', 'three'];
    await eventually(async () => {
      guids.push(`further-${guids.length}`);
      assertAtCeiling(await logIn(tenant, ada as bigint, guids.at(-1) as string, { api: two }), /devices is 3/);
    });
    assert.equal((await logIn(tenant, ada as bigint, 'one')).code, 200);
    assertAtCeiling(await logIn(tenant, bo as bigint, 'two'), /devices is 3/);
    const { data: login } = await logIn(tenant, ada as bigint, 'two');
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, { ...login, deviceGuid: 'two' });
    const { task_id: taskId } = (await notify(tenant)).data;
    await eventually(() => assert.ok(device.taskIds.includes(`${taskId}`)));
    await as(tenant, '/admin/app/update', { registration: true });
    const register = { name: 'new', password: 'a password', device_guid: 'six' };
    assertAtCeiling(await tryAs(tenant, '/user/register', register), /devices is 3/);
    assert.equal((await tryAs(tenant, '/admin/user/find', { name: 'new' })).code, 10000, 'no user was created');
    await assertOtherAppWorks();
    for (const guid of guids) await tryAs(tenant, '/admin/device/delete', { device_guid: guid });
    await eventually(async () => assert.equal((await logIn(tenant, ada as bigint, 'four')).code, 200));
  });

  test('stored bytes: notifications are refused when messages and inboxes are too large', async () => {
    const tenant = await createTenant({ stored_bytes: 20_000 });
    const large = { body: 'x'.repeat(4_000) };
    const codes: number[] = [];
    for (let i = 0; i < 10; i++) codes.push((await notify(tenant, large)).code);
    assert.deepEqual(codes.slice(0, 4), [200, 200, 200, 200]);
    assertAtCeiling(await notify(tenant, large), /stored_bytes is 20000/);
    await eventually(async () => assertAtCeiling(await notify(tenant, large, { api: two }), /20000/));
    await eventually(async () => {
      const bytes = (await readApp(tenant)).usage.stored_bytes ?? 0;
      // Each of the two processes accepted at most the ceiling and one more message.
      assert.ok(bytes >= 20_000 && bytes < 50_000, `${bytes}`);
    });
    await assertOtherAppWorks();
  });

  test('stored bytes: notifications that wait in inboxes are counted', async () => {
    const tenant = await createTenant({});
    const userId = await addUser(carillon.storage.home, tenant.appId);
    await logIn(tenant, userId, 'waiting');
    await as(tenant, '/push/notify', { audience: { user_id: [userId] }, message: MESSAGE });
    const bytesOf = async () => (await readApp(tenant)).usage.stored_bytes ?? 0;
    const [row] = await carillon.storage.home.query<{ bytes: number }>(
      'select sum(octet_length(message) + octet_length(audience))::int as bytes from tasks where app_id = $1',
      [tenant.appId],
    );
    await eventually(async () => assert.ok((await bytesOf()) > (row?.bytes ?? 0), `${await bytesOf()}`));
  });

  test('sessions: a further device is refused by every gateway, and connected devices can reconnect', async () => {
    const tenant = await createTenant({ sessions: 2 });
    const [first, second] = carillon.gateways as [RoleProcess, RoleProcess];
    const userId = await addUser(carillon.storage.home, tenant.appId);
    const logins: Login[] = [];
    for (const deviceGuid of ['s-one', 's-two', 's-three'])
      logins.push({ ...(await logIn(tenant, userId, deviceGuid)).data, deviceGuid });
    const [firstLogin, secondLogin, thirdLogin] = logins as [Login, Login, Login];
    await eventually(async () => {
      // Gateways learn the ceiling of a new app at the next exchange of counts.
      const devices: TestDevice[] = [];
      try {
        for (const login of logins) devices.push(await connectDevice(first, login));
        assert.fail('all three devices are connected');
      } catch (error) {
        assert.doesNotMatch((error as Error).message, /all three/);
      } finally {
        for (const device of devices) await device[Symbol.asyncDispose]();
      }
    });
    await using connected = await eventually(() => connectDevice(first, firstLogin));
    await using _other = await eventually(() => connectDevice(second, secondLogin));
    const refuses = async (gateway: RoleProcess) => {
      await using device = await connectDevice(gateway, thirdLogin, { protocolVersion: 5 }).catch((error: Error) => {
        assert.match(error.message, /[Qq]uota/);
        return undefined;
      });
      assert.equal(device, undefined, 'the third device is connected');
    };
    await eventually(() => refuses(first));
    await eventually(() => refuses(second));
    await using _moved = await connectDevice(second, firstLogin);
    await eventually(() => assert.ok(connected.closes > 0, 'the first connection was replaced'));
    await eventually(async () => assert.equal((await readApp(tenant)).usage.sessions, 2));
    await assertOtherAppWorks();
  });
});
