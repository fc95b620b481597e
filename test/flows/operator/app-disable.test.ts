import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptTasks, type NewTask } from '#src/storage/ledger/tasks.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../../scripts/dev/seed.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type CallOptions, type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows, slicesOf, waitUntilFinished } from '../../support/ledger.ts';

const SHOP = 'shop';
const LIVE = 3;
const BUSY = 2;
/** More tasks than one sweep cancels. */
const MANY = 1_300;

describe('tasks of a disabled app', () => {
  let carillon: Carillon;
  let operator: CallOptions;
  let shop: CallOptions;
  let offline: { userId: bigint; login: Login };

  before(async () => {
    carillon = await startCarillon({ workers: 2 });
    const { storage } = carillon;
    await carillon.addApp(SHOP);
    operator = { token: await seedAdminToken(storage.home, carillon.appId, ['platform']) };
    shop = { token: await seedAdminToken(storage.home, SHOP), headers: { app_id: SHOP } };
    const userId = await addUser(storage.home, SHOP);
    offline = { userId, login: await addDevice(storage, { appId: SHOP, userId, deviceGuid: 'off' }) };
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const disableApp = () => carillon.post('/admin/app/disable', { target_app_id: SHOP }, operator);
  const open = () => carillon.post('/admin/app/enable', { target_app_id: SHOP }, operator);
  const inAnHour = () => ({ body: 'later', show_begin_time: Math.floor(Date.now() / 1_000) + 3_600 });
  const toOffline = () => ({ user_id: [offline.userId] });

  async function isCancelled(taskId: bigint): Promise<boolean> {
    const [task] = await carillon.storage.home.query<{ cancelled: boolean }>(
      'select cancelled_at is not null as cancelled from tasks where task_id = $1',
      [taskId],
    );
    return task?.cancelled === true;
  }

  /** Waits until the app is usable again, because its previous state is cached for two seconds. */
  const reopened = (taskId: bigint) => eventually(() => carillon.counters(taskId, shop));

  test('scheduled, waiting and running tasks are cancelled, nothing more is sent, and the counters stay exact', async () => {
    const { storage } = carillon;
    const userId = await addUser(storage.home, SHOP);
    const tokens = [
      ...Array.from({ length: LIVE }, (_, i) => `live-shop-${i}`),
      ...Array.from({ length: BUSY }, (_, i) => `busy-shop-${i}`),
    ];
    for (const apnsToken of tokens) await addDevice(storage, { appId: SHOP, userId, deviceGuid: apnsToken, apnsToken });
    const user = await carillon.createUser('neighbour');
    const neighbours = await carillon.notify({ user_id: [user.userId] }, inAnHour());

    const heldTaskId = await carillon.notify(toOffline(), inAnHour(), {}, shop);
    const heldForAll = await carillon.notify('all', inAnHour(), {}, shop);
    const waiting = await carillon.notify(
      toOffline(),
      { body: 'hello' },
      { distribution_strategy: 'nativepush_only' },
      shop,
    );
    const running = await carillon.notify('all', { body: 'hello' }, { distribution_strategy: 'ospush_only' }, shop);
    await eventually(async () => assert.equal(await countInboxRows(storage, waiting), 1));
    await eventually(
      async () => assert.deepEqual((await carillon.counters(running, shop)).apns, [LIVE + BUSY, LIVE, 0]),
      30,
    );

    await disableApp();
    for (const taskId of [heldTaskId, heldForAll, waiting, running]) {
      await waitUntilFinished(storage, taskId, 60);
      assert.ok(await isCancelled(taskId));
    }
    assert.ok(!(await isCancelled(neighbours)), 'tasks of another app are not cancelled');
    assert.equal(await countInboxRows(storage, waiting), 0);
    assert.deepEqual(await slicesOf(storage, heldTaskId), []);
    assert.deepEqual(await slicesOf(storage, heldForAll), []);
    const claimed = await Promise.all(
      storage.shards.all.map((db) => db.query('select from expansions where task_id = $1 and epoch > 0', [heldForAll])),
    );
    assert.deepEqual(claimed.flat(), [], 'no audience was expanded');
    const attempts = (await slicesOf(storage, running)).map((slice) => slice.attempts);
    await sleep(2_000);
    assert.deepEqual(
      (await slicesOf(storage, running)).map((slice) => slice.attempts),
      attempts,
    );

    await open();
    await reopened(running);
    assert.deepEqual(await carillon.counters(running, shop), { apns: [LIVE + BUSY, LIVE, 0] });
    assert.deepEqual(await carillon.counters(waiting, shop), { nativepush: [1, 0, 0] });
    assert.deepEqual(await carillon.counters(heldTaskId, shop), {});
    for (const token of tokens.slice(0, LIVE)) assert.equal((await carillon.apnsNotificationsFor(token)).length, 1);
    const phone = await connectDevice(carillon.gateways[0] as RoleProcess, offline.login);
    try {
      const fresh = await carillon.notify(toOffline(), { body: 'enabled again' }, {}, shop);
      await eventually(() => assert.deepEqual(phone.taskIds, [fresh.toString()]));
      await waitUntilFinished(storage, fresh);
      assert.ok(!(await isCancelled(fresh)));
    } finally {
      await phone[Symbol.asyncDispose]();
    }
    await checkLaws(storage);
  });

  test('a task that is accepted while the app is being disabled is cancelled, and so are more tasks than one sweep cancels', async () => {
    const { storage } = carillon;
    await disableApp();
    await sleep(1_500);
    const late = await acceptTasks(storage.home, Array.from({ length: MANY }, newTask));
    const taskIds = late.map((accepted) => (accepted as { taskId: bigint }).taskId);
    await eventually(async () => {
      const openTasks = await storage.home.query(
        `select from tasks where task_id = any($1) and (state <> 'finished' or cancelled_at is null)`,
        [taskIds],
      );
      assert.equal(openTasks.length, 0);
    }, 90);
    await checkLaws(storage);
    await open();
  });

  test('tasks that no worker processed before the app was enabled again are cancelled', async () => {
    await eventually(async () => assert.equal((await carillon.tryPost('/push/task/list', {}, shop)).code, 200));
    const heldTaskId = await carillon.notify(toOffline(), inAnHour(), {}, shop);
    for (const worker of carillon.workers) await worker.stop();
    await disableApp();
    await open();
    assert.ok(await isCancelled(heldTaskId));
    await eventually(async () => assert.equal((await carillon.tryPost('/push/task/list', {}, shop)).code, 200));
    const after = await carillon.notify(toOffline(), inAnHour(), {}, shop);
    await open();
    assert.ok(!(await isCancelled(after)), 'enabling an enabled app changes nothing');
  });

  const newTask = (): NewTask => ({
    ...{
      appId: SHOP,
      author: 'admin',
      requestId: null,
      token: { kind: 'admin', tokenId: 1n, parent: null },
      bodyHash: Buffer.alloc(0),
      lane: 'prompt',
      bucket: 0,
      byRange: false,
    },
    ...{ strategy: 'combined', ospushSequence: [], audience: { kind: 'push_token', pushTokens: [] }, groupId: null },
    ...{ messageText: '{}', dueAt: new Date(Date.now() + 3_600_000), notAfter: null },
  });
});
