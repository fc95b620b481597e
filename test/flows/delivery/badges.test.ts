import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { insertGroup, insertMembers } from '#src/storage/users/groups.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { connectDevice, connectSilentDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

const GROUP = 7n;

describe('the badge of a device with an APNs binding', () => {
  let carillon: Carillon;
  let gateway: RoleProcess;
  let phones = 0;

  before(async () => {
    carillon = await startCarillon({
      settings: { CARILLON_ACKNOWLEDGE_SECONDS: '2', CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '0' },
    });
    [gateway] = carillon.gateways as [RoleProcess];
    await insertGroup(carillon.storage.home, carillon.appId, GROUP, 'members');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function newPhone() {
    const apnsToken = `live-badge-${++phones}`;
    const user = await carillon.createUser(`person-${phones}`);
    const login = await carillon.logIn(user, `phone-${phones}`);
    await carillon.post('/device/bind', { provider: 1, token: apnsToken }, { token: login.token });
    await insertMembers(carillon.storage.home, carillon.appId, GROUP, [user.userId]);
    const { userId } = user;
    const shown = async () =>
      (await carillon.apnsNotificationsFor(apnsToken)).map(({ payload }) => (payload.aps as { badge?: number }).badge);
    return { userId, login, shown };
  }

  test('changes once per task, whichever channel delivers and however the audience is expanded', async () => {
    const { userId, login, shown } = await newPhone();
    const toList = { user_id: [userId] };
    {
      await using device = await connectDevice(gateway, login);
      await carillon.post('/device/tag', { add: ['badge'] }, { token: login.token });
      const members = { headers: { group_id: `${GROUP}` } };
      const sends = [[toList], [{ push_token: [login.push_token] }], [{ tag: ['badge'] }], ['all'], ['all', members]];
      for (const [i, [audience, options]] of (sends as [object | 'all', object?][]).entries()) {
        const taskId = await carillon.notify(audience, { body: 'over MQTT' }, {}, options);
        await waitUntilFinished(carillon.storage, taskId);
        assert.equal(device.taskIds.length, i + 1);
      }
      const silent = await carillon.notify(toList, { type: 'cmd', body: 'for the app' });
      await waitUntilFinished(carillon.storage, silent);
    }
    for (const badge of ['+1', '+2', '4', '+1'])
      await waitUntilFinished(carillon.storage, await carillon.notify(toList, { body: 'through APNs', badge }));
    assert.deepEqual(await shown(), [6, 8, 4, 5]);
  });

  test('changes once if a notification is repeated through APNs', async () => {
    const { userId, login, shown } = await newPhone();
    using device = await connectSilentDevice(gateway, login);
    await carillon.notify({ user_id: [userId] }, { body: 'not acknowledged' });
    await eventually(async () => assert.deepEqual(await shown(), [1]));
    assert.equal(device.taskIds.length, 1);
  });

  test('is 1 if the app reports 0 after the task was expanded', async () => {
    const { userId, login, shown } = await newPhone();
    using device = await connectSilentDevice(gateway, login);
    await carillon.notify({ user_id: [userId] }, { body: 'first' });
    await eventually(() => assert.equal(device.taskIds.length, 1));
    await carillon.post('/device/badge', { badge: 0 }, { token: login.token });
    await eventually(async () => assert.deepEqual(await shown(), [1]));
  });

  test('starts at 0 for the next user of the device', async () => {
    const { userId, login, shown } = await newPhone();
    await waitUntilFinished(carillon.storage, await carillon.notify({ user_id: [userId] }, { body: 'x', badge: '9' }));
    await carillon.post('/token/logout', {}, { token: login.token });
    const next = await carillon.createUser(`next-${phones}`);
    const nextLogin = await carillon.logIn(next, `phone-${phones}`);
    await carillon.post('/device/bind', { provider: 1, token: `live-badge-${phones}` }, { token: nextLogin.token });
    await waitUntilFinished(carillon.storage, await carillon.notify({ user_id: [next.userId] }, { body: 'y' }));
    assert.deepEqual(await shown(), [9, 1]);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
