import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { waitUntilFinished } from '../support/ledger.ts';

const NATIVE_ONLY = { distribution_strategy: 'nativepush_only' };
const VENDOR_ONLY = { distribution_strategy: 'ospush_only' };

describe('two users with the same device_guid', () => {
  let carillon: Carillon;
  let gateway: RoleProcess;
  let count = 0;

  before(async () => {
    carillon = await startCarillon({ gateways: 1, workers: 1 });
    gateway = carillon.gateways[0] as RoleProcess;
  });
  after(() => carillon[Symbol.asyncDispose]());

  /** A user with a device that has a vendor token, a tag and an alias. */
  async function createVictim(): Promise<{ user: TestUser; login: Login; apnsToken: string; name: string }> {
    const name = `ada-${++count}`;
    const user = await carillon.createUser(name);
    const login = await carillon.logIn(user, `phone-of-${name}`);
    const apnsToken = `live-${name}`;
    await bind(login, apnsToken);
    await carillon.post('/device/tag', { add: ['news'] }, { token: login.token });
    await carillon.post('/device/alias', { alias: name }, { token: login.token });
    return { user, login, apnsToken, name };
  }

  const bind = ({ token }: Login, apnsToken: string) =>
    carillon.post('/device/bind', { provider: 1, token: apnsToken }, { token });

  const textsSentTo = async (apnsToken: string) =>
    (await carillon.apnsNotificationsFor(apnsToken)).map(
      ({ payload }) => (payload.aps as { alert: { body: string } }).alert.body,
    );

  /** Sends through APNs only, and waits until the task is finished. */
  async function sendByVendor({ userId }: TestUser, body: string): Promise<void> {
    const taskId = await carillon.notify({ user_id: [userId] }, { body }, VENDOR_ONLY);
    await waitUntilFinished(carillon.storage, taskId, 30);
  }

  describe('an attacker who logs in with the device_guid of a user', () => {
    test('does not end the bindings, tags, alias, push token or access token of the user', async () => {
      const { user, login, apnsToken, name } = await createVictim();
      const attacker = await carillon.createUser(`mallory-${name}`);
      const attack = await carillon.logIn(attacker, login.deviceGuid);
      assert.notEqual(attack.push_token, login.push_token);

      const { data } = await carillon.post<Record<string, unknown>[]>('/device/list', {}, { token: login.token });
      assert.deepEqual(
        data.map(({ push_token, alias, tags }) => [push_token, alias, tags]),
        [[login.push_token, name, ['news']]],
      );
      await sendByVendor(user, 'still here');
      assert.deepEqual(await textsSentTo(apnsToken), ['still here']);
    });

    test('does not delete the inbox of the user, and does not receive it', async () => {
      const { user, login, name } = await createVictim();
      const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'private' }, NATIVE_ONLY);
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 0, 0] }));
      const attack = await carillon.logIn(await carillon.createUser(`mallory-${name}`), login.deviceGuid);
      await using thief = await connectDevice(gateway, attack);
      await using phone = await connectDevice(gateway, login);
      await eventually(() => assert.deepEqual(phone.taskIds, [taskId.toString()]));
      assert.deepEqual(thief.taskIds, []);
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
    });

    test('does not disconnect the user, whose client ID is the same', async () => {
      const { user, login, name } = await createVictim();
      await using phone = await connectDevice(gateway, login);
      const attack = await carillon.logIn(await carillon.createUser(`mallory-${name}`), login.deviceGuid);
      for (let i = 0; i < 5; i++) await (await connectDevice(gateway, attack))[Symbol.asyncDispose]();
      await using thief = await connectDevice(gateway, attack);
      const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'private' }, NATIVE_ONLY);
      await eventually(() => assert.deepEqual(phone.taskIds, [taskId.toString()]));
      assert.deepEqual([phone.closes, thief.closes], [0, 0], 'both sessions are still open');
    });

    test('cannot connect with the push token of the user', async () => {
      const { login, name } = await createVictim();
      const attack = await carillon.logIn(await carillon.createUser(`mallory-${name}`), login.deviceGuid);
      await assert.rejects(connectDevice(gateway, { ...attack, push_token: login.push_token }));
    });

    test('does not reuse the device after the user has logged out', async () => {
      const { user, login, name } = await createVictim();
      await carillon.post('/token/logout', {}, { token: login.token });
      const attack = await carillon.logIn(await carillon.createUser(`mallory-${name}`), login.deviceGuid);
      const again = await carillon.logIn(user, login.deviceGuid);
      await using thief = await connectDevice(gateway, attack);
      await using phone = await connectDevice(gateway, again);
      const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'private' }, NATIVE_ONLY);
      await eventually(() => assert.deepEqual(phone.taskIds, [taskId.toString()]));
      assert.deepEqual([thief.taskIds, thief.closes], [[], 0]);
    });
  });

  test('share a phone: its vendor token belongs to the user who registered it last, and each user has an inbox', async () => {
    const { user: ada, login: first, apnsToken, name } = await createVictim();
    const bo = await carillon.createUser(`bo-${name}`);
    const second = await carillon.logIn(bo, first.deviceGuid);
    await bind(second, apnsToken);
    await sendByVendor(ada, 'for ada, while bo has the phone');
    await sendByVendor(bo, 'for bo');
    assert.deepEqual(await textsSentTo(apnsToken), ['for bo']);

    const waiting = await carillon.notify({ user_id: [ada.userId] }, { body: 'waits for ada' }, NATIVE_ONLY);
    {
      await using phone = await connectDevice(gateway, second);
      const own = await carillon.notify({ user_id: [bo.userId] }, { body: 'for bo' }, NATIVE_ONLY);
      await eventually(() => assert.deepEqual(phone.taskIds, [own.toString()]));
    }
    const again = await carillon.logIn(ada, first.deviceGuid);
    assert.equal(again.push_token, first.push_token, 'ada had not logged out');
    await bind(again, apnsToken);
    await using phone = await connectDevice(gateway, again);
    await eventually(() => assert.deepEqual(phone.taskIds, [waiting.toString()]));
    await sendByVendor(bo, 'for bo, while ada has the phone');
    await sendByVendor(ada, 'for ada');
    assert.deepEqual(await textsSentTo(apnsToken), ['for bo', 'for ada']);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
