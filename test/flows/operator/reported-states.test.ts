import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bucketOfPushToken } from '#src/domain/device.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type CallOptions, type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

const CHINESE: CallOptions = { headers: { 'accept-language': 'zh-CN' } };
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
const NOTHING_WRITTEN = 'the row was written again';

interface Trace {
  readonly list: readonly { readonly state: string; readonly why: string }[];
  readonly why: string | null;
}

describe('the state that a phone reports', () => {
  let carillon: Carillon;
  let users = 0;

  before(async () => {
    carillon = await startCarillon();
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function phone(): Promise<{ user: TestUser; login: Login }> {
    const user = await carillon.createUser(`person-${++users}`);
    return { user, login: await carillon.logIn(user, `phone-${users}`) };
  }
  const report = (login: Login, state: object) => carillon.post('/device/state', state, { token: login.token });
  const trace = async (taskId: bigint, { userId }: TestUser, options?: CallOptions): Promise<Trace> =>
    (await carillon.post<Trace>('/push/task/trace', { task_id: taskId, user_id: userId }, options)).data;
  const whyOf = async (taskId: bigint, user: TestUser, options?: CallOptions) =>
    (await trace(taskId, user, options)).list[0]?.why ?? '';
  const becomes = (taskId: bigint, user: TestUser, why: RegExp) =>
    eventually(async () => assert.match(await whyOf(taskId, user), why));
  const listedWhy = async ({ userId }: TestUser, options?: CallOptions) => {
    const { data } = await carillon.post<Trace>('/admin/device/notifications', { user_id: userId }, options);
    return data.list[0]?.why ?? data.why ?? '';
  };

  test('explains why a notification that the device received was not displayed', async () => {
    const { user, login } = await phone();
    await using _device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    await report(login, { client: 'android 0.1.0', notifications: 'denied' });
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });
    await waitUntilFinished(carillon.storage, taskId);
    const denied = new RegExp(
      `^Delivered: .* The app reported at ${TIME} that the phone does not allow it to display notifications\\.`,
    );
    assert.match(await whyOf(taskId, user), denied);
    assert.match(await listedWhy(user), denied);
    const deniedInChinese = new RegExp(`^已送达：.*应用于 ${TIME} 报告：手机不允许它显示通知。`);
    assert.match(await whyOf(taskId, user, CHINESE), deniedInChinese);
    assert.match(await listedWhy(user, CHINESE), deniedInChinese);

    await report(login, { client: 'android 0.1.0', notifications: 'allowed' });
    assert.match(await whyOf(taskId, user), /^Delivered: the device acknowledged [^.]*\.$/);
  });

  test('explains why no vendor token is registered, until the vendor issues one', async () => {
    const { user, login } = await phone();
    const vendorErrors = [
      { provider: 7, error: 'SERVICE_NOT_AVAILABLE' },
      { provider: 2, error: '907135000' },
    ];
    await report(login, { vendor_errors: vendorErrors });
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });
    const seen = 'The device last connected or logged in on \\d{4}-\\d\\d-\\d\\d\\.$';
    const missing = (vendors: string) =>
      new RegExp(
        `no vendor token is registered\\. The app reported at ${TIME} that it received no vendor token: ${vendors}\\. .*${seen}`,
      );
    await becomes(taskId, user, missing('FCM \\(SERVICE_NOT_AVAILABLE\\), Huawei \\(907135000\\)'));
    const inChinese = await whyOf(taskId, user, CHINESE);
    assert.match(
      inChinese,
      /没有获得厂商 token：FCM（SERVICE_NOT_AVAILABLE）、华为（907135000）。.*设备最近一次连接或登录是在/,
    );

    await carillon.post('/device/bind', { provider: 2, token: 'huawei-token' }, { token: login.token });
    const why = await whyOf(taskId, user);
    assert.match(why, /received no vendor token: FCM \(SERVICE_NOT_AVAILABLE\)\. /);
  });

  test('is not stored again within a day if it is equal', async () => {
    const { login } = await phone();
    const bucket = bucketOfPushToken(login.push_token) as number;
    const db = carillon.storage.shards.dbFor(bucket);
    const key = `bucket = ${bucket} and device_id = (select device_id from devices where bucket = ${bucket} and push_token = $1)`;
    const readRow = async () =>
      (
        await db.query<{ version: string; state: string; age: number; owner: string }>(
          `select r.xmin::text as version, r.notifications as state, floor(extract(epoch from now() - reported_at) / 3600)::int as age,
                  (select d.xmax::text || d.xmin::text from devices d where d.bucket = r.bucket and d.device_id = r.device_id) as owner
             from reported_states r where ${key}`,
          [login.push_token],
        )
      )[0];
    const age = (hours: number) =>
      db.query(`update reported_states set reported_at = now() - interval '${hours} hours' where ${key}`, [
        login.push_token,
      ]);
    const state = { client: 'android 0.1.0', notifications: 'denied', vendor_errors: [{ provider: 2, error: 'x' }] };
    await report(login, state);
    await age(23);
    const first = await readRow();
    assert.deepEqual([first?.state, first?.age], ['denied', 23]);
    await report(login, state);
    assert.deepEqual(await readRow(), first, NOTHING_WRITTEN);

    await age(25);
    await report(login, state);
    assert.equal((await readRow())?.age, 0, 'the time of an old report is renewed');
    await age(1);
    await report(login, { ...state, notifications: 'allowed' });
    const changed = await readRow();
    assert.deepEqual([changed?.state, changed?.age], ['allowed', 0]);
  });

  test('is not needed to explain a user without a device: never logged in, or logged out', async () => {
    const { user, login } = await phone();
    const never = await carillon.createUser('never-started');
    const taskId = await carillon.notify({ user_id: [user.userId, never.userId] }, { body: 'hello' });
    await becomes(taskId, user, /waits in the device's inbox/);
    const { list, why } = await trace(taskId, never);
    assert.deepEqual(list, []);
    assert.match(why ?? '', /^The user has never logged in on a device in this app\./);
    assert.match(await listedWhy(never), /^The user has never logged in on a device in this app\./);
    assert.match((await trace(taskId, never, CHINESE)).why ?? '', /^用户从未在此应用的任何设备上登录。/);

    await report(login, { notifications: 'denied' });
    await carillon.post('/token/logout', {}, { token: login.token });
    const loggedOut = /^The device was logged out on \d{4}-\d\d-\d\d, so it does not receive this notification\.$/;
    assert.match(await whyOf(taskId, user), loggedOut);
    assert.equal((await trace(taskId, user)).why, null);

    await carillon.post('/admin/device/delete', { device_guid: login.deviceGuid });
    assert.match((await trace(taskId, user)).why ?? '', /^The user is not logged in on any device in this app\./);
    assert.match(await listedWhy(user), /^The user is not logged in on any device in this app\./);
  });

  test('is not shown for a notification to an earlier login, which the next login explains', async () => {
    const { user, login } = await phone();
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });
    await becomes(taskId, user, /waits in the device's inbox/);
    await carillon.post('/token/logout', {}, { token: login.token });
    await carillon.logIn(user, login.deviceGuid);
    await becomes(
      taskId,
      user,
      new RegExp(`^The device was logged out before delivery, and the user logged in on it again at ${TIME}\\.`),
    );
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
