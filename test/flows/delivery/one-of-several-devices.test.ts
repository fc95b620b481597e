import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEVICES_PER_USER_MAX } from '#src/domain/device.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectDevice, connectSilentDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows, type SliceRow, slicesOf, waitUntilFinished } from '../../support/ledger.ts';
import { REVOKED_SECONDS_MAX, TOKEN_INVALID } from '../../support/revocation-limits.ts';
import { finalStatusesOf } from './ownership-change/two-device-user.ts';

describe('one of several phones of a user', () => {
  let carillon: Carillon;
  before(async () => {
    carillon = await startCarillon();
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('is logged out and in again: its notification is not put in the inbox again when the slice is claimed again', async () => {
    const { appId, storage } = carillon;
    const userId = await addUser(storage.home, appId);
    const [kept, left] = [
      await addDevice(storage, { appId, userId, deviceGuid: 'kept' }),
      await addDevice(storage, { appId, userId, deviceGuid: 'left' }),
    ];
    const setting = { distribution_strategy: 'nativepush_only' };
    const taskId = await carillon.notify({ user_id: [userId] }, { body: 'to both' }, setting);
    const waits = async (): Promise<SliceRow> => {
      const [slice] = await slicesOf(storage, taskId);
      assert.equal(slice?.state, 'waiting');
      return slice as SliceRow;
    };
    const { epoch } = await eventually(waits);
    assert.equal(await countInboxRows(storage, taskId), 2);

    await carillon.post('/token/logout', {}, { token: left.token });
    await carillon.post('/admin/user/token', { user_id: userId, device_guid: left.deviceGuid });
    assert.equal(await countInboxRows(storage, taskId), 1);
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, kept);
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [2, 1, 1] }));
    assert.deepEqual(device.taskIds, [taskId.toString()]);
    assert.equal((await waits()).epoch, epoch, 'a receipt alone does not cause a claim');
    const db = storage.shards.dbFor(bucketOfTask(taskId));
    await db.query('update slices set next_at = now() where task_id = $1', [taskId]);
    await eventually(async () => assert.ok((await waits()).epoch > epoch, 'the slice was claimed again'));
    assert.equal(await countInboxRows(storage, taskId), 0);
  });

  test('is logged out without a new owner: its unacknowledged place is skipped, and its inbox stays empty', async () => {
    const { appId, storage } = carillon;
    const userId = await addUser(storage.home, appId);
    const login = await addDevice(storage, { appId, userId, deviceGuid: 'abandoned' });
    using silent = await connectSilentDevice(carillon.gateways[0] as RoleProcess, login);
    const taskId = await carillon.notify({ user_id: [userId] }, { body: 'are you there?' });
    await eventually(() => assert.deepEqual(silent.taskIds, [taskId.toString()]));

    await carillon.post('/token/logout', {}, { token: login.token });

    await waitUntilFinished(storage, taskId);
    assert.deepEqual(await finalStatusesOf(carillon, taskId), { nativepush: [placeStatus.skipped] });
    assert.equal(await countInboxRows(storage, taskId), 0);
  });

  test('exceeds the device limit: the oldest phone is logged out, its session ends, and it is no longer reached', async () => {
    const { appId, storage } = carillon;
    const user = await carillon.createUser('collector');
    const phones: Login[] = [];
    for (let i = 0; i < DEVICES_PER_USER_MAX; i++)
      phones.push(await addDevice(storage, { appId, userId: user.userId, deviceGuid: `phone-${i}` }));
    const [oldest, second] = phones as [Login, Login];
    const [gateway] = carillon.gateways as [RoleProcess];
    await using oldestDevice = await connectDevice(gateway, oldest);
    await using secondDevice = await connectDevice(gateway, second);

    const newest = await carillon.logIn(user, 'phone-too-many');

    await eventually(() => assert.equal(oldestDevice.closes, 1), REVOKED_SECONDS_MAX);
    assert.equal((await carillon.tryPost('/device/list', {}, { token: oldest.token })).code, TOKEN_INVALID);
    const { data } = await carillon.post<{ push_token: string }[]>('/device/list', {}, { token: newest.token });
    assert.deepEqual(
      data.map(({ push_token }) => push_token).sort(),
      [...phones.slice(1), newest].map(({ push_token }) => push_token).sort(),
    );
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'to all of yours' });
    const old = await carillon.notify({ push_token: [oldest.push_token] }, { body: 'to the oldest' });
    await eventually(async () =>
      assert.deepEqual(await carillon.counters(taskId), { nativepush: [DEVICES_PER_USER_MAX, 1, 1] }),
    );
    await waitUntilFinished(storage, old);
    assert.deepEqual(await carillon.counters(old), {});
    assert.deepEqual(secondDevice.taskIds, [taskId.toString()]);
    assert.deepEqual(oldestDevice.taskIds, []);
    assert.equal(secondDevice.closes, 0);
    await checkLaws(storage);
  });
});
