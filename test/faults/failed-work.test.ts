import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ShardDb } from '#src/storage/database/database.ts';
import { markSlices } from '#src/storage/ledger/mark-slices.ts';
import { run } from '../../cli/support/run-command.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { waitUntilFinished } from '../support/ledger.ts';

const PHONES = 6;
/** Healthy tasks finish well within this time, although a task that fails was claimed together with them. */
const HEALTHY_SECONDS_MAX = 5;
const QUARANTINE_SECONDS_MAX = 20;

interface QuarantinedTask {
  readonly task_id: number;
  readonly kind: string;
  readonly rows: number;
  readonly error: string;
}

describe('work that fails for its own reason', () => {
  let carillon: Carillon;
  let worker: RoleProcess;
  let db: ShardDb;
  const apnsTokens = Array.from({ length: PHONES }, (_, i) => `live-healthy-${i}`);
  const pushTokens: string[] = [];

  before(async () => {
    // With one database, all tasks and slices are claimed and processed together.
    const settings = { CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '1' };
    carillon = await startCarillon({ databases: 1, gateways: 0, settings });
    [worker] = carillon.workers as [RoleProcess];
    const { storage, appId } = carillon;
    [db] = storage.shards.all as [ShardDb];
    for (const [i, apnsToken] of apnsTokens.entries()) {
      const userId = await addUser(storage.home, appId);
      pushTokens.push((await addDevice(storage, { appId, userId, deviceGuid: `phone-${i}`, apnsToken })).push_token);
    }
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Sends a task to each phone while the worker is stopped. The worker then claims all of them together. */
  async function notifyEach(plant: (taskIds: readonly bigint[]) => Promise<unknown>, setting = {}): Promise<bigint[]> {
    worker.signal('SIGSTOP');
    const taskIds: bigint[] = [];
    for (const pushToken of pushTokens)
      taskIds.push(await carillon.notify({ push_token: [pushToken] }, { body: 'hello' }, setting));
    await plant(taskIds);
    worker.signal('SIGCONT');
    return taskIds;
  }

  /** Waits until all tasks except those of these indexes are finished and have reached their phones once. */
  async function expectHealthy(taskIds: readonly bigint[], failing: readonly number[]): Promise<void> {
    for (const [i, taskId] of taskIds.entries()) {
      if (failing.includes(i)) continue;
      await waitUntilFinished(carillon.storage, taskId, HEALTHY_SECONDS_MAX);
      await expectOnce(taskId, i);
    }
  }

  const arrivalsOf = async (taskId: bigint, phone: number): Promise<number> =>
    (await carillon.apnsNotificationsFor(apnsTokens[phone] as string)).filter(
      ({ collapse_id }) => collapse_id === taskId.toString(),
    ).length;

  async function expectOnce(taskId: bigint, phone: number): Promise<void> {
    assert.equal(await arrivalsOf(taskId, phone), 1, `task ${taskId}`);
    assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 0] });
  }

  const listQuarantined = async (): Promise<readonly QuarantinedTask[]> =>
    (await carillon.post<{ list: QuarantinedTask[] }>('/admin/task/quarantined', {})).data.list;

  /**
   * Skips the pauses between the attempts, and waits until these tasks are quarantined. After their first failure,
   * `failures` is set to save time.
   */
  async function waitUntilQuarantined(
    table: string,
    taskIds: readonly bigint[],
    failures = 4,
  ): Promise<readonly QuarantinedTask[]> {
    const isPaused = table === 'tasks' ? 'true' : `state = 'ready'`;
    return eventually(async () => {
      await db.query(
        `update ${table} set next_at = now(), failures = greatest(failures, $2)
          where failures is not null and next_at < 'infinity' and task_id = any($1) and ${isPaused}`,
        [taskIds, failures],
      );
      const list = await listQuarantined();
      assert.deepEqual(list.map(({ task_id }) => BigInt(task_id)).sort(), [...taskIds]);
      for (const taskId of taskIds) {
        const isLogged = (line: string) => line.includes('work-quarantined') && line.includes(`${taskId}`);
        assert.equal(carillon.errorLines.filter(isLogged).length, 1);
      }
      return list;
    }, QUARANTINE_SECONDS_MAX);
  }

  async function retry(taskId: bigint): Promise<void> {
    const { data } = await carillon.post<{ rows: number }>('/admin/task/retry', { task_id: taskId });
    assert.equal(data.rows, 1);
  }

  async function failuresOf(table: string, taskId: bigint): Promise<{ failures: number; pauseSeconds: number }> {
    const [row] = await db.query<{ failures: number; pauseSeconds: number }>(
      `select failures, extract(epoch from next_at - failed_at)::float8 as "pauseSeconds" from ${table} where task_id = $1`,
      [taskId],
    );
    return row as { failures: number; pauseSeconds: number };
  }

  /** Makes every statement on a row of a table that matches the condition fail until the trigger is dropped. */
  async function addTrigger(event: string, table: string, condition: string): Promise<void> {
    await db.query(
      `create or replace function refuse() returns trigger language plpgsql
           as $$ begin raise exception 'the row is refused' using errcode = 'XX000'; end $$`,
    );
    await db.query(
      `create trigger refuse before ${event} on ${table} for each row when (${condition}) execute function refuse()`,
    );
  }

  test('invalid tasks are quarantined; one is sent once after a repair, the other is discarded', async () => {
    const { storage } = carillon;
    const taskIds = await notifyEach(async (ids) => {
      await storage.home.query(`update tasks set message = '{"type":' where task_id = $1`, [ids[1]]);
      await storage.home.query(`update tasks set audience = '{"kind":"planet"}' where task_id = $1`, [ids[3]]);
    });
    const [repaired, discarded] = [taskIds[1] as bigint, taskIds[3] as bigint];
    await expectHealthy(taskIds, [1, 3]);
    const { failures, pauseSeconds } = await eventually(() => failuresOf('tasks', repaired));
    assert.equal(failures, 1);
    assert.ok(pauseSeconds > 4.9 && pauseSeconds < 5.1, `${pauseSeconds} s`);
    const list = await waitUntilQuarantined('tasks', [repaired, discarded], 1);
    assert.deepEqual(
      new Set(list.map(({ kind, rows, error }) => `${kind} ${rows} ${error}`)),
      new Set(['tasks 1 Error: The stored message is not valid.', 'tasks 1 Error: The stored audience is not valid.']),
    );
    const { stdout } = await run(['task', 'quarantined'], {
      CARILLON_URL: carillon.apis[0]?.apiUrl as string,
      CARILLON_APP_ID: carillon.appId,
      CARILLON_ADMIN_TOKEN: carillon.adminToken,
    });
    assert.match(stdout, new RegExp(`${repaired} +tasks +1 +Error: The stored message is not valid`));

    await storage.home.query(
      'update tasks set message = (select message from tasks where task_id = $2) where task_id = $1',
      [repaired, taskIds[0]],
    );
    await retry(repaired);
    await waitUntilFinished(storage, repaired);
    await expectOnce(repaired, 1);
    await carillon.post('/push/task/cancel', { task_id: discarded });
    await waitUntilFinished(storage, discarded);
    assert.equal(await arrivalsOf(discarded, 3), 0);
    assert.deepEqual(await listQuarantined(), []);
    await checkLaws(storage);
  });

  test('a slice whose writes fail is quarantined; its group is sent once', async () => {
    const { storage } = carillon;
    const taskIds = await notifyEach((ids) =>
      addTrigger('update', 'slices', `new.task_id = ${ids[2]} and new.status <> old.status`),
    );
    const failing = taskIds[2] as bigint;
    await expectHealthy(taskIds, [2]);
    const [entry] = await waitUntilQuarantined('slices', [failing]);
    assert.deepEqual([entry?.kind, entry?.error], ['slices', 'error: the row is refused']);
    await checkLaws(storage);
    await db.query('drop trigger refuse on slices');
    await retry(failing);
    await waitUntilFinished(storage, failing);
    await expectOnce(failing, 2);
    assert.deepEqual(await listQuarantined(), []);
    await checkLaws(storage);
  });

  test('a slice with an invalid status stops neither its neighbours nor receipts, and can be discarded', async () => {
    const { storage } = carillon;
    const taskIds = await notifyEach(async () => undefined, { distribution_strategy: 'nativepush_only' });
    const readSlices = () =>
      db.query<{ taskId: bigint; bucket: number; sliceNumber: number; state: string; epoch: number }>(
        `select task_id as "taskId", bucket, slice as "sliceNumber", state, epoch from slices where task_id = any($1)
          order by 1`,
        [taskIds],
      );
    const slices = await eventually(async () => {
      const rows = await readSlices();
      assert.deepEqual(
        rows.map(({ state }) => state),
        taskIds.map(() => 'waiting'),
      );
      return rows;
    });
    const invalid = taskIds[4] as bigint;
    // The triggers that check the laws of the ledger reject an invalid status, and cannot read it.
    await db.query('alter table slices disable trigger check_slice_change');
    await db.query(`update slices set status = '' where task_id = $1`, [invalid]);
    await markSlices(
      db,
      slices.map((slice) => ({ ...slice, sent: '0', received: '0' })),
    );
    await db.query('update slices set next_at = now() where task_id = any($1)', [taskIds]);
    await eventually(async () => {
      for (const [i, { taskId, state, epoch }] of (await readSlices()).entries())
        if (taskId !== invalid)
          assert.ok(state === 'waiting' && epoch > (slices[i]?.epoch as number), `task ${taskId}`);
    }, HEALTHY_SECONDS_MAX);
    const [entry] = await waitUntilQuarantined('slices', [invalid]);
    assert.equal(entry?.error, 'Error: The column status of the slice has 0 places instead of 1.');
    for (const taskId of taskIds) await carillon.post('/push/task/cancel', { task_id: taskId });
    for (const taskId of taskIds) await waitUntilFinished(storage, taskId);
    await db.query('alter table slices enable trigger check_slice_change');
    assert.deepEqual(await listQuarantined(), []);
    await checkLaws(storage);
  });

  test('an expansion that fails is quarantined; another task to all devices is sent', async () => {
    const { storage } = carillon;
    worker.signal('SIGSTOP');
    const failing = await carillon.notify('all', { body: 'fails' });
    const healthy = await carillon.notify('all', { body: 'works' });
    await addTrigger('insert', 'slices', `new.task_id = ${failing}`);
    worker.signal('SIGCONT');
    await waitUntilFinished(storage, healthy, HEALTHY_SECONDS_MAX);
    const [entry] = await waitUntilQuarantined('expansions', [failing]);
    assert.equal(entry?.kind, 'expansions');
    await db.query('drop trigger refuse on slices');
    await carillon.post('/admin/task/retry', { task_id: failing });
    await waitUntilFinished(storage, failing);
    for (const taskId of [healthy, failing])
      assert.deepEqual(await carillon.counters(taskId), { apns: [PHONES, PHONES, 0] });
    await checkLaws(storage);
  });
});
