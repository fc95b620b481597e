import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptTasks, type NewTask } from '#src/storage/ledger/tasks.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../../scripts/dev/seed.ts';
import { addPhone, addUser } from '../../support/add-device.ts';
import { type CallOptions, type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { finishes, inboxRows, slicesOf } from '../../support/ledger.ts';

const SHOP = 'shop';
const LIVE = 3;
const BUSY = 2;
/** More than one sweep takes. */
const MANY = 1_300;

describe('an app that is shut cancels its tasks', () => {
  let carillon: Carillon;
  let operator: CallOptions;
  let shop: CallOptions;
  let offline: { userId: bigint; login: Login };

  before(async () => {
    carillon = await startCarillon({ workers: 2 });
    const { truth } = carillon;
    await carillon.addApp(SHOP);
    operator = { token: await seedAdminToken(truth.home, carillon.appId, ['platform']) };
    shop = { token: await seedAdminToken(truth.home, SHOP), headers: { app_id: SHOP } };
    const userId = await addUser(truth.home, SHOP);
    offline = { userId, login: await addPhone(truth, { appId: SHOP, userId, deviceGuid: 'off' }) };
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const shut = () => carillon.post('/admin/app/disable', { target_app_id: SHOP }, operator);
  const open = () => carillon.post('/admin/app/enable', { target_app_id: SHOP }, operator);
  const inAnHour = () => ({ body: 'later', show_begin_time: Math.floor(Date.now() / 1_000) + 3_600 });
  const toOffline = () => ({ user_id: [offline.userId] });

  async function isCancelled(taskId: bigint): Promise<boolean> {
    const [task] = await carillon.truth.home.query<{ cancelled: boolean }>(
      'select cancelled_at is not null as cancelled from tasks where task_id = $1',
      [taskId],
    );
    return task?.cancelled === true;
  }

  /** The app is known for a moment longer wherever it was asked about before. */
  const reopened = (taskId: bigint) => eventually(() => carillon.counters(taskId, shop));

  test('held, waiting and running ones end, nothing more goes out, and the counters say what did', async () => {
    const { truth } = carillon;
    const userId = await addUser(truth.home, SHOP);
    const tokens = [
      ...Array.from({ length: LIVE }, (_, i) => `live-shop-${i}`),
      ...Array.from({ length: BUSY }, (_, i) => `busy-shop-${i}`),
    ];
    for (const apnsToken of tokens) await addPhone(truth, { appId: SHOP, userId, deviceGuid: apnsToken, apnsToken });
    const person = await carillon.addPerson('neighbour');
    const neighbours = await carillon.notify({ user_id: [person.userId] }, inAnHour());

    const held = await carillon.notify(toOffline(), inAnHour(), {}, shop);
    const heldForAll = await carillon.notify('all', inAnHour(), {}, shop);
    const waiting = await carillon.notify(
      toOffline(),
      { body: 'hello' },
      { distribution_strategy: 'nativepush_only' },
      shop,
    );
    const running = await carillon.notify('all', { body: 'hello' }, { distribution_strategy: 'ospush_only' }, shop);
    await eventually(async () => assert.equal(await inboxRows(truth, waiting), 1));
    await eventually(
      async () => assert.deepEqual((await carillon.counters(running, shop)).apns, [LIVE + BUSY, LIVE, 0]),
      30,
    );

    await shut();
    for (const taskId of [held, heldForAll, waiting, running]) {
      await finishes(truth, taskId, 60);
      assert.ok(await isCancelled(taskId));
    }
    assert.ok(!(await isCancelled(neighbours)), "another app's go on");
    assert.equal(await inboxRows(truth, waiting), 0);
    assert.deepEqual(await slicesOf(truth, held), []);
    assert.deepEqual(await slicesOf(truth, heldForAll), []);
    const claimed = await Promise.all(
      truth.shards.all.map((db) => db.query('select from expansions where task_id = $1 and epoch > 0', [heldForAll])),
    );
    assert.deepEqual(claimed.flat(), [], 'nobody had to look at an audience');
    const attempts = (await slicesOf(truth, running)).map((slice) => slice.attempts);
    await sleep(2_000);
    assert.deepEqual(
      (await slicesOf(truth, running)).map((slice) => slice.attempts),
      attempts,
    );

    await open();
    await reopened(running);
    assert.deepEqual(await carillon.counters(running, shop), { apns: [LIVE + BUSY, LIVE, 0] });
    assert.deepEqual(await carillon.counters(waiting, shop), { nativepush: [1, 0, 0] });
    assert.deepEqual(await carillon.counters(held, shop), {});
    for (const token of tokens.slice(0, LIVE)) assert.equal((await carillon.arrivedAtApns(token)).length, 1);
    const phone = await connectDevice(carillon.gateways[0] as RoleProcess, offline.login);
    try {
      const fresh = await carillon.notify(toOffline(), { body: 'open again' }, {}, shop);
      await eventually(() => assert.deepEqual(phone.taskIds, [fresh.toString()]));
      await finishes(truth, fresh);
      assert.ok(!(await isCancelled(fresh)));
    } finally {
      await phone[Symbol.asyncDispose]();
    }
    await checkLaws(truth);
  });

  test('one that was being accepted at that moment, and more than one sweep takes', async () => {
    const { truth } = carillon;
    await shut();
    await sleep(1_500);
    const late = await acceptTasks(truth.home, Array.from({ length: MANY }, newTask));
    const taskIds = late.map((accepted) => (accepted as { taskId: bigint }).taskId);
    await eventually(async () => {
      const left = await truth.home.query(
        `select from tasks where task_id = any($1) and (state <> 'finished' or cancelled_at is null)`,
        [taskIds],
      );
      assert.equal(left.length, 0);
    }, 90);
    await checkLaws(truth);
    await open();
  });

  test('those too that no worker got to before it was opened again', async () => {
    await eventually(async () => assert.equal((await carillon.tryPost('/push/task/list', {}, shop)).code, 200));
    const held = await carillon.notify(toOffline(), inAnHour(), {}, shop);
    for (const worker of carillon.workers) await worker.stop();
    await shut();
    await open();
    assert.ok(await isCancelled(held));
    await eventually(async () => assert.equal((await carillon.tryPost('/push/task/list', {}, shop)).code, 200));
    const after = await carillon.notify(toOffline(), inAnHour(), {}, shop);
    await open();
    assert.ok(!(await isCancelled(after)), 'to open an app that is open changes nothing');
  });

  const newTask = (): NewTask => ({
    ...{ appId: SHOP, author: 'admin', requestId: null, bodyHash: Buffer.alloc(0), lane: 'prompt', expansions: 1 },
    ...{ strategy: 'combined', ospushSequence: [], audience: { kind: 'push_token', pushTokens: [] }, groupId: null },
    ...{ messageText: '{}', dueAt: new Date(Date.now() + 3_600_000), notAfter: null },
  });
});
