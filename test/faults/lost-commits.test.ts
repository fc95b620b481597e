import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BucketRange } from '#src/domain/bucket.ts';
import { bucketOfTask, firstTaskIdAt } from '#src/domain/task.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { taskRangeOfDay } from '#src/storage/database/partitions.ts';
import { expansionOf, planExpansions } from '#src/storage/ledger/expansions.ts';
import { deleteExpansions, dropShardDay } from '#src/storage/upkeep/drop-days.ts';
import { retireDay, storeFinalCounts } from '#src/worker/upkeep/retire-days.ts';
import { readApnsTally } from '../support/apns-tally.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { type Fleet, insertFleet } from '../support/fleet.ts';
import { checkLaws } from '../support/laws.ts';
import { dayNumberBefore, insertFinishedTasks } from '../support/old-tasks.ts';

/** APNs throttles one of these phones, so that every task stays open after the others are notified. */
const PHONES = 60;
/** A worker checks a task in the home database again after 2 s. */
const CHECK_VALID_MS = 2_100;

describe('a shard database that has lost commits', () => {
  let carillon: Carillon;
  let fleet: Fleet;
  /** The databases of the phones, by APNs token. The throttled phone is not included. */
  const databaseOf = new Map<string, ShardDb>();
  /** A database without the throttled phone, if there is more than one database. */
  let lossy: ShardDb;

  before(async () => {
    const settings = { CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '10' };
    carillon = await startCarillon({ gateways: 0, settings });
    const { shards } = carillon.storage;
    fleet = await insertFleet(carillon.storage, carillon.appId, PHONES);
    for (const db of shards.all) {
      const bindings = await db.query<{ token: string; bucket: number; deviceId: bigint }>(
        'select token, bucket, device_id as "deviceId" from bindings',
      );
      for (const { token, bucket, deviceId } of bindings)
        if (/^(dead|slow)-/.test(token))
          for (const table of ['bindings', 'devices'])
            await db.query(`delete from ${table} where bucket = $1 and device_id = $2`, [bucket, deviceId]);
        else if (token.startsWith('live-')) databaseOf.set(token, db);
      if (bindings.every(({ token }) => !token.startsWith('busy-'))) lossy = db;
    }
    lossy ??= shards.all[0] as ShardDb;
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Returns how often each phone was notified, for the phones that APNs does not throttle. */
  async function tallyOf(taskId: bigint): Promise<ReadonlyMap<string, number>> {
    return (await readApnsTally(carillon)).get(taskId) ?? new Map();
  }

  async function stateOf(taskId: bigint): Promise<string | undefined> {
    const rows = await carillon.storage.home.query<{ state: string }>('select state from tasks where task_id = $1', [
      taskId,
    ]);
    return rows[0]?.state;
  }

  const sendToAll = () =>
    carillon.notify('all', { title: 'to all', body: 'x' }, { distribution_strategy: 'ospush_only' });
  const sendToList = async () => {
    const pushTokens = (
      await Promise.all(
        carillon.storage.shards.all.map((db) => db.query<{ token: string }>('select push_token as token from devices')),
      )
    ).flat();
    return carillon.notify(
      { push_token: pushTokens.map(({ token }) => token) },
      { title: 'to a list', body: 'x' },
      { distribution_strategy: 'ospush_only' },
    );
  };

  /** Sends a task, and waits until all phones except the throttled one are notified and nothing else is in progress. */
  async function sendUntilThrottled(send: () => Promise<bigint>): Promise<bigint> {
    await queryShards(
      `update bindings
          set token = 'busy' || substr(token, 5), token_hash = sha256(convert_to('busy' || substr(token, 5), 'utf8'))
        where token like 'live-%' and token <> all($1)`,
      [[...databaseOf.keys()]],
    );
    const taskId = await send();
    await eventually(async () => {
      assert.deepEqual([...(await tallyOf(taskId)).keys()].sort(), [...databaseOf.keys()].sort());
      assert.equal(await stateOf(taskId), 'planned');
      const leased = await queryShards(`select from slices where task_id = $1 and state = 'leased'`, [taskId]);
      assert.equal(leased.length, 0);
    });
    return taskId;
  }

  async function queryShards(text: string, values: readonly unknown[]): Promise<unknown[]> {
    return (await Promise.all(carillon.storage.shards.all.map((db) => db.query(text, values)))).flat();
  }

  async function lose(db: ShardDb, taskId: bigint, tables = ['slice_targets', 'slices', 'expansions']): Promise<void> {
    for (const table of tables) await db.query(`delete from ${table} where task_id = $1`, [taskId]);
  }

  /** Makes the task due for the check of the sweep, which would otherwise take place up to 10 minutes later. */
  async function checkNow(taskId: bigint): Promise<void> {
    await carillon.storage.home.query('update tasks set next_at = now() where task_id = $1', [taskId]);
  }

  const lostLines = (taskId: bigint) =>
    carillon.logLines.filter((line) => line.includes('"expansions-lost"') && line.includes(`"${taskId}"`));

  /** Ends the throttle for a task, and checks that it is finished and that the counters are exact. */
  async function finish(taskId: bigint): Promise<void> {
    const phones = databaseOf.size + 1;
    await fleet.endThrottle();
    await eventually(async () => assert.equal(await stateOf(taskId), 'finished'));
    assert.deepEqual(await carillon.counters(taskId), { apns: [phones, phones, 0] });
    await checkLaws(carillon.storage);
  }

  test('gets the ranges of a planned task again, and the other databases send nothing more', async () => {
    const taskId = await sendUntilThrottled(sendToAll);
    await lose(lossy, taskId);
    await checkNow(taskId);
    await eventually(async () => {
      for (const [token, times] of await tallyOf(taskId))
        assert.equal(times, databaseOf.get(token) === lossy ? 2 : 1, token);
      assert.equal(await stateOf(taskId), 'planned');
    });
    assert.ok(lostLines(taskId).length > 0);
    await finish(taskId);
    for (const [token, db] of databaseOf) assert.equal((await tallyOf(taskId)).get(token), db === lossy ? 2 : 1);
  });

  test('gets the expansion of a list again', async () => {
    const taskId = await sendUntilThrottled(sendToList);
    await lose(carillon.storage.shards.dbFor(bucketOfTask(taskId)), taskId);
    await checkNow(taskId);
    await eventually(async () => {
      for (const token of databaseOf.keys()) assert.equal((await tallyOf(taskId)).get(token), 2, token);
    });
    await finish(taskId);
    for (const token of databaseOf.keys()) assert.equal((await tallyOf(taskId)).get(token), 2, token);
  });

  test('does not notify devices again whose slices still exist', async () => {
    const taskId = await sendUntilThrottled(sendToList);
    await lose(carillon.storage.shards.dbFor(bucketOfTask(taskId)), taskId, ['expansions']);
    await checkNow(taskId);
    await fleet.endThrottle();
    await eventually(async () => assert.equal(await stateOf(taskId), 'finished'));
    for (const [token, times] of await tallyOf(taskId)) assert.equal(times, 1, token);
    assert.equal(lostLines(taskId).length, 0);
  });

  test('sends neither a cancelled nor an expired task again, and these tasks end', async () => {
    for (const ending of ['cancelled_at = now()', 'not_after = now()']) {
      for (const send of [sendToAll, sendToList]) {
        const taskId = await sendUntilThrottled(send);
        for (const db of carillon.storage.shards.all) await lose(db, taskId);
        await carillon.storage.home.query(`update tasks set ${ending}, next_at = now() where task_id = $1`, [taskId]);
        await eventually(async () => assert.equal(await stateOf(taskId), 'finished'));
        for (const [token, times] of await tallyOf(taskId)) assert.equal(times, 1, `${ending}: ${token}`);
        assert.equal((await queryShards('select from expansions where task_id = $1', [taskId])).length, 0);
      }
    }
  });

  test('does not send work whose task the home database has lost, and reports it', async () => {
    const { home } = carillon.storage;
    const taskId = await sendUntilThrottled(sendToList);
    await home.query('delete from tasks where task_id = $1', [taskId]);
    await sleep(CHECK_VALID_MS);
    await fleet.endThrottle();
    await eventually(() => {
      const lines = carillon.errorLines.filter(
        (line) => line.includes('"task-missing"') && line.includes(`"${taskId}"`),
      );
      assert.ok(lines.length > 0);
    });
    // The worker that had cached the task keeps its lease, so that the next claim postpones the slice.
    await queryShards(`update slices set next_at = now() where task_id = $1 and state <> 'closed'`, [taskId]);
    await eventually(async () => {
      const postponed = await queryShards(
        `select from slices where task_id = $1 and state = 'ready' and next_at > now() + interval '9 min'`,
        [taskId],
      );
      assert.equal(postponed.length, 1);
    });
    assert.equal((await tallyOf(taskId)).size, databaseOf.size, 'the throttled phone was not notified');
    for (const db of carillon.storage.shards.all) await lose(db, taskId);
  });

  test('postpones an expansion whose task the home database has lost', async () => {
    const db = carillon.storage.shards.all[0] as ShardDb;
    const { firstBucket, lastBucket } = carillon.storage.shards.rangesOf(db)[0] as BucketRange;
    const taskId = firstTaskIdAt(new Date());
    const expansion = expansionOf({ taskId, appId: carillon.appId, lane: 'bulk' }, { firstBucket, lastBucket });
    await planExpansions(db, [expansion], { done: false });
    await eventually(async () => {
      const postponed = await db.query(
        `select from expansions where task_id = $1 and next_at > now() + interval '9 min'`,
        [taskId],
      );
      assert.equal(postponed.length, 1);
    });
    await eventually(() =>
      assert.ok(carillon.errorLines.some((line) => line.includes('"task-missing"') && line.includes(`"${taskId}"`))),
    );
    await lose(db, taskId);
  });

  test('sends nothing again after retention has dropped a day', async () => {
    const { home, shards } = carillon.storage;
    const day = dayNumberBefore(1);
    const taskIds = await insertFinishedTasks(carillon.storage, carillon.appId, day, [
      { places: { apns: 3 } },
      { places: { apns: 2 }, everyone: true },
    ]);
    // The worker that retires the day has crashed after it dropped the day in the shards, and the home database has lost
    // the end of the tasks.
    await storeFinalCounts(carillon.storage, taskRangeOfDay(day));
    for (const db of shards.all) {
      assert.ok(await dropShardDay(db, day));
      await deleteExpansions(db, taskRangeOfDay(day), 100);
    }
    await home.query(
      `update tasks set state = 'planned', next_at = now(), not_after = now() + interval '1 day' where task_id = any($1)`,
      [taskIds],
    );
    await eventually(async () => {
      for (const taskId of taskIds) assert.equal(await stateOf(taskId), 'finished');
    });
    for (const taskId of taskIds) {
      assert.equal((await tallyOf(taskId)).size, 0);
      assert.ok(lostLines(taskId).length > 0);
    }
    assert.equal(await retireDay(carillon.storage, day), 'dropped');
  });
});
