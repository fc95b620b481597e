import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { noBits } from '#src/domain/bits.ts';
import { BUCKETS } from '#src/domain/bucket.ts';
import type { SliceKey } from '#src/domain/slice.ts';
import { bucketOfTask, recentTaskRange } from '#src/domain/task.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { createLog } from '#src/foundation/log.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { type HomeDb, inTransaction, type ShardDb, type Shards, type Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { dayNumberOf, partitionOf, taskRangeOfDay } from '#src/storage/database/partitions.ts';
import { deleteOldFinalCounts } from '#src/storage/ledger/final-counts.ts';
import { markSlices } from '#src/storage/ledger/mark-slices.ts';
import { insertRecall } from '#src/storage/ledger/recalls.ts';
import { deleteOldRequestKeys } from '#src/storage/ledger/request-keys.ts';
import { claimSlices, insertSlices, type NewSlice, writeSlices } from '#src/storage/ledger/slices.ts';
import { dropShardDay, findHomeDays, findShardDays } from '#src/storage/upkeep/drop-days.ts';
import { insertGroup } from '#src/storage/users/groups.ts';
import { retireDay, retireDays, storeFinalCounts } from '#src/worker/upkeep/retire-days.ts';
import { type CallOptions, type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { logTo } from '../../support/log-to.ts';
import { createDayPartitions, insertFinishedTasks, type OldTask } from '../../support/old-tasks.ts';
import { leavePendingDetach } from '../../support/pending-detach.ts';

const DAYS_AGO = 90;
const GROUP = 3n;
/** Time for which a transaction stays open. A round that waits for it cannot end within `ROUND_MS_MAX`. */
const HELD_MS = 3_000;
const ROUND_MS_MAX = 2_500;

describe('a day at the end of its retention', () => {
  let carillon: Carillon;
  let storage: Storage;
  let login: Login;
  let userId: bigint;
  /** A fixed time for all tests, so that they can run across midnight. */
  let now: Date;
  let daysUsed = 0;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0, checksLaws: false });
    ({ storage } = carillon);
    now = new Date();
    await createDayPartitions(storage, DAYS_AGO);
    const ann = await carillon.createUser('ann');
    userId = ann.userId;
    login = await carillon.logIn(ann, 'anns-phone');
    await insertGroup(storage.home, carillon.appId, GROUP, 'choir');
    await carillon.addApp('another');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Each test uses a separate day that is old enough to be dropped. */
  const nextDay = () => dayNumberOf(now) - (DAYS_AGO - daysUsed++);

  const oldTasks = (): readonly OldTask[] => [
    { places: { nativepush: 3, apns: 2 } },
    { author: `user:${userId}`, places: { nativepush: 1 } },
    { author: `group:${GROUP}`, groupId: GROUP, places: { fcm: 5, none: 2 } },
    { places: {} },
    { places: { nativepush: 2, xiaomi: 1 }, everyone: true },
  ];

  const callers = (): Readonly<Record<string, CallOptions>> => ({
    admin: {},
    user: { token: login.token },
    group: { headers: { group_id: `${GROUP}` } },
  });

  /** Returns the task details that each kind of caller receives. */
  async function tell(taskIds: readonly bigint[]): Promise<string> {
    const responses: Record<string, unknown> = {};
    for (const [name, options] of Object.entries(callers()))
      responses[name] = (await carillon.post('/push/task/detail', { list: taskIds }, options)).data;
    return stringifyJson(responses);
  }

  async function partsOf(day: number): Promise<number> {
    const days = await Promise.all([findHomeDays(storage.home), ...storage.shards.all.map((db) => findShardDays(db))]);
    return days.flat().filter((present) => present.day === day).length;
  }

  /** Returns the number of rows of a day in tables without partitions. */
  async function rowsOf(day: number): Promise<number> {
    const count = (db: HomeDb | ShardDb, table: string) =>
      db.query(`select from ${table} where task_id between $1 and $2`, [...taskRangeOfDay(day)]);
    const ofShards = storage.shards.all.flatMap((db) => [count(db, 'expansions'), count(db, 'slice_recalls')]);
    return (await Promise.all([count(storage.home, 'recalls'), ...ofShards])).flat().length;
  }

  test('is dropped, and every caller gets the same response before, during and after the drop', async () => {
    const day = nextDay();
    const taskIds = await insertFinishedTasks(storage, carillon.appId, day, oldTasks());
    const foreign = await insertFinishedTasks(storage, 'another', day + 1, [{ places: { apns: 1 } }]);
    const requestedIds = [...taskIds].reverse().concat(foreign);
    for (const taskId of taskIds) assert.ok(await insertRecall(storage.home, { appId: carillon.appId, taskId }));
    for (const db of storage.shards.all)
      await db.query(
        'insert into slice_recalls select task_id, bucket, slice, app_id, channel, sent, sent from slices',
      );
    assert.ok((await rowsOf(day)) > 2 * taskIds.length);
    const before = await tell(requestedIds);
    assert.match(before, new RegExp(`"nativepush_target":${2 * storage.shards.all.length}`));
    let asking = true;
    let answers = 0;
    const watching = (async () => {
      for (; asking; answers++) assert.equal(await tell(requestedIds), before);
    })();
    assert.equal(await retireDay(storage, day), 'dropped');
    assert.equal(await retireDay(storage, day + 1), 'dropped');
    asking = false;
    await watching;
    assert.ok(answers > 0);
    assert.equal(await tell(requestedIds), before);
    assert.equal(await partsOf(day), 0);
    assert.equal(await rowsOf(day), 0);
    daysUsed++;
    await checkLaws(storage);
  });

  test('is no longer listed, its tasks are finished, and its request ids still return their tasks', async () => {
    const day = nextDay();
    const [taskId] = await insertFinishedTasks(storage, carillon.appId, day, [
      { places: { apns: 4 }, requestId: 'long-ago' },
    ]);
    const list = async () =>
      (await carillon.post<{ list: { task_id: number }[] }>('/push/task/list', {})).data.list.map(({ task_id }) =>
        BigInt(task_id),
      );
    assert.ok((await list()).includes(taskId as bigint));
    assert.equal(await retireDay(storage, day), 'dropped');
    assert.ok(!(await list()).includes(taskId as bigint));
    const { data } = await carillon.post<object>('/push/task/cancel', { task_id: taskId });
    assert.deepEqual(data, { task_id: Number(taskId), finished: true, sent: 4 });
    const recalled = await carillon.post<object>('/push/task/cancel', { task_id: taskId, recall: true });
    assert.deepEqual(recalled.data, { ...data, recall: [{ channel: 'apns', sent: 4, supported: false }] });
    const foreign = await carillon.tryPost('/push/task/cancel', { task_id: taskId }, { token: login.token });
    assert.equal(foreign.code, 12011);
    const again = await carillon.notify({ user_id: [userId] }, { body: 'again' }, { request_id: 'long-ago' });
    assert.equal(again, taskId);
    await checkLaws(storage);
    await storage.home.query(`update request_keys set at = now() - interval '91 days' where request_id = 'long-ago'`);
    assert.equal(await deleteOldRequestKeys(storage.home, 10), 1);
    assert.notEqual(
      await carillon.notify({ user_id: [userId] }, { body: 'again' }, { request_id: 'long-ago' }),
      taskId,
    );
  });

  test('ignores late receipts and late writes', async () => {
    const day = nextDay();
    const [taskId] = (await insertFinishedTasks(storage, carillon.appId, day, [{ places: { apns: 2 } }])) as [bigint];
    const key = { taskId, bucket: Number(taskId & 63n), sliceNumber: 1 };
    const db = storage.shards.dbFor(key.bucket);
    const before = await tell([taskId]);
    assert.equal(await retireDay(storage, day), 'dropped');
    await markSlices(db, [{ ...key, sent: '11', received: '11' }]);
    const claimed = { ...key, channel: 'apns', epoch: 1, status: Buffer.alloc(2), received: noBits(2) } as const;
    const write = {
      claimed,
      status: Buffer.alloc(2),
      sent: noBits(2),
      state: 'ready',
      dueInMs: 0,
      attempts: 1,
    } as const;
    assert.deepEqual(await writeSlices(db, [write]), []);
    const { data } = await carillon.post(
      '/device/receipt',
      { list: [`${taskId}.${key.bucket}.1`] },
      { token: login.token },
    );
    assert.deepEqual(data, { received: 0 });
    assert.equal(await tell([taskId]), before);
  });

  test('is in another statement than the receipts of today', async () => {
    const [day, today] = [nextDay(), dayNumberOf(now)];
    const places = [{ places: { apns: 2 } }];
    const [lateId] = (await insertFinishedTasks(storage, carillon.appId, day, places)) as [bigint];
    const [newId] = (await insertFinishedTasks(storage, carillon.appId, today, places)) as [bigint];
    const taskIds = [lateId, newId];
    const db = storage.shards.dbFor(bucketOfTask(newId));
    const slices = await db.query<SliceKey>(
      'select task_id as "taskId", bucket, slice as "sliceNumber" from slices where task_id = any($1)',
      [taskIds],
    );
    assert.equal(slices.length, 2);
    /** The first and last task ID of each statement, between which PostgreSQL considers all partitions. */
    const ranges: (readonly [bigint, bigint])[] = [];
    const recording = {
      query: (text: string, values: readonly unknown[]) => {
        ranges.push([values[5] as bigint, values[6] as bigint]);
        return db.query(text, values);
      },
    } as unknown as ShardDb;
    const shards: Shards = { all: [recording], dbFor: () => recording, nameOf: () => '', rangesOf: () => [] };
    const receipts = new Receipts(shards, createLog({ level: 'error', fields: { role: 'test' } }));
    await Promise.all(slices.map((key) => receipts.recordReceived({ ...key, index: 1, placeCount: 2 }, 'apns')));
    await receipts.stop();
    assert.deepEqual(
      ranges.sort(([a], [b]) => Number(a - b)),
      taskIds.map((taskId) => [taskId, taskId]),
    );
    const received = await db.query<{ received: string }>(
      'select received::text as received from slices where task_id = any($1)',
      [taskIds],
    );
    assert.deepEqual(received, [{ received: '11' }, { received: '11' }]);
    assert.equal(await retireDay(storage, day), 'dropped');
  });

  const breakers: Readonly<Record<string, (taskId: bigint) => Promise<() => Promise<unknown>>>> = {
    'an unfinished task': async (taskId) => {
      const set = (state: string) =>
        storage.home.query('update tasks set state = $2 where task_id = $1', [taskId, state]);
      await set('planned');
      return () => set('finished');
    },
    'an open slice': async (taskId) => {
      const set = (state: string) =>
        storage.shards.dbFor(BUCKETS - 1).query('update slices set state = $2 where task_id = $1', [taskId, state]);
      await set('waiting');
      return () => set('closed');
    },
    'an unfinished expansion': async (taskId) => {
      const set = (state: string) =>
        storage.shards.dbFor(BUCKETS - 1).query('update expansions set state = $2 where task_id = $1', [taskId, state]);
      await set('ready');
      return () => set('done');
    },
  };
  for (const [what, breakIt] of Object.entries(breakers))
    test(`is kept and logged while it has ${what}, and is dropped afterwards`, async () => {
      const day = nextDay();
      const taskIds = await insertFinishedTasks(storage, carillon.appId, day, oldTasks());
      const before = await tell(taskIds);
      const repair = await breakIt(taskIds.at(-1) as bigint);
      const lines: string[] = [];
      await retireDays(storage, { now, retentionDays: DAYS_AGO - daysUsed, log: logTo(lines) });
      const date = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
      assert.deepEqual(lines, [`warn day-not-dropped ${date} unfinished`]);
      assert.equal(await partsOf(day), 1 + storage.shards.all.length);
      assert.equal((await storage.home.query('select from final_counts where task_id = $1', [taskIds[0]])).length, 0);
      assert.equal(await tell(taskIds), before);
      await repair();
      lines.length = 0;
      await retireDays(storage, { now, retentionDays: DAYS_AGO - daysUsed, log: logTo(lines) });
      assert.deepEqual(lines, [`info day-dropped ${date}`]);
      assert.equal(await tell(taskIds), before);
    });

  const crashes: Readonly<Record<string, (day: number) => Promise<unknown>>> = {
    'the counts were written': (day) => storeFinalCounts(storage, taskRangeOfDay(day)),
    'one database had dropped its partitions': async (day) => {
      await storeFinalCounts(storage, taskRangeOfDay(day));
      assert.ok(await dropShardDay(storage.shards.dbFor(0), day));
    },
    'a partition was detached but not dropped': async (day) => {
      await storeFinalCounts(storage, taskRangeOfDay(day));
      await storage.shards.dbFor(63).query(`alter table slices detach partition slices_day_${day} concurrently`);
    },
    'a partition was only marked to be detached': async (day) => {
      await storeFinalCounts(storage, taskRangeOfDay(day));
      await leavePendingDetach(storage, day);
    },
    'only the tasks were left': async (day) => {
      await storeFinalCounts(storage, taskRangeOfDay(day));
      for (const db of storage.shards.all) assert.ok(await dropShardDay(db, day));
      await storage.home.query(`alter table tasks detach partition tasks_day_${day} concurrently`);
    },
  };
  for (const [when, crash] of Object.entries(crashes))
    test(`is completed after a crash when ${when}`, async () => {
      const day = nextDay();
      const taskIds = await insertFinishedTasks(storage, carillon.appId, day, oldTasks());
      const before = await tell(taskIds);
      await crash(day);
      assert.equal(await tell(taskIds), before);
      // A retention of 1,000 days covers every task. A drop that has started must be completed nevertheless.
      const retentionDays = when === 'the counts were written' || when.startsWith('one') ? DAYS_AGO - daysUsed : 1_000;
      await retireDays(storage, { now, retentionDays, log: logTo([]) });
      assert.equal(await partsOf(day), 0);
      assert.equal(await tell(taskIds), before);
    });

  test('is kept if a partition is missing and its counts were not stored', async () => {
    const day = nextDay();
    const [taskId] = await insertFinishedTasks(storage, carillon.appId, day, oldTasks());
    await storage.shards.dbFor(0).query(`alter table slices detach partition slices_day_${day} concurrently`);
    assert.equal(await retireDay(storage, day), 'cannot be counted');
    assert.equal(await partsOf(day), 1 + storage.shards.all.length);
    assert.equal((await storage.home.query('select from final_counts where task_id = $1', [taskId])).length, 0);
    const { from, to } = partitionOf('slices', day);
    await storage.shards
      .dbFor(0)
      .query(`alter table slices attach partition slices_day_${day} for values from (${from}) to (${to})`);
    assert.equal(await retireDay(storage, day), 'dropped');
  });

  test('is dropped by two workers at the same time', async () => {
    const other = await openStorage({
      settings: {
        CARILLON_DATABASE_URL: carillon.settings.CARILLON_DATABASE_URL as string,
        CARILLON_SHARD_DATABASES: carillon.settings.CARILLON_SHARD_DATABASES as string,
        CARILLON_DATABASE_QUERY_SECONDS_MAX: 10,
      },
      connections: 2,
      log: createLog({ level: 'error', fields: { role: 'test' } }),
    });
    try {
      for (let round = 0; round < 3; round++) {
        const day = nextDay();
        const taskIds = await insertFinishedTasks(storage, carillon.appId, day, oldTasks());
        const before = await tell(taskIds);
        const ends = await Promise.all([retireDay(storage, day), retireDay(other, day)]);
        assert.deepEqual(ends, ['dropped', 'dropped']);
        assert.equal(await partsOf(day), 0);
        assert.equal(await tell(taskIds), before);
      }
    } finally {
      await other.close();
    }
  });

  test('is dropped without delaying concurrent claims and writes, even while a transaction holds an old snapshot', async () => {
    const days = [nextDay(), nextDay(), nextDay()];
    for (const day of days) await insertFinishedTasks(storage, carillon.appId, day, oldTasks());
    let working = true;
    const slowest: number[] = [];
    const workers = storage.shards.all.map(async (db, shardDb) => {
      for (let i = 0; working; i++) {
        const taskId = recentTaskRange(new Date())[1] - BigInt(1_000_000 - i);
        const began = performance.now();
        await insertSlices(db, [newSlice(carillon.appId, taskId, shardDb * 32)]);
        const claim = { lane: 'prompt', limit: 8, leaseSeconds: 30, weightMax: 512, turns: null } as const;
        const [claimed] = await claimSlices(db, { ...claim, taskRange: recentTaskRange(new Date()) });
        assert.ok(claimed);
        const write = {
          claimed,
          status: Buffer.alloc(1, 10),
          sent: '1',
          state: 'closed',
          dueInMs: 0,
          attempts: 1,
        } as const;
        assert.equal((await writeSlices(db, [write])).length, 1);
        slowest.push(performance.now() - began);
      }
    });
    const holding = inTransaction(storage.shards.dbFor(0), async (tx) => {
      await tx.query('select count(*) from slices');
      await sleep(HELD_MS);
    });
    for (const day of days) assert.equal(await retireDay(storage, day), 'dropped');
    working = false;
    await Promise.all([...workers, holding]);
    assert.ok(slowest.length > 10, `${slowest.length} rounds`);
    assert.ok(
      Math.max(...slowest) < ROUND_MS_MAX,
      `the slowest of ${slowest.length} rounds took ${Math.max(...slowest)} ms`,
    );
  });

  test('is dropped by a worker, and its counts are deleted after their own retention', async () => {
    const day = nextDay();
    const taskIds = await insertFinishedTasks(storage, carillon.appId, day, oldTasks());
    const before = await tell(taskIds);
    const worker = await carillon.start('worker', { CARILLON_RETENTION_DAYS: `${DAYS_AGO - daysUsed}` });
    await eventually(async () => assert.equal(await partsOf(day), 0), 30);
    await eventually(() => assert.ok(carillon.logLines.some((line) => line.includes('day-dropped'))));
    await worker.stop();
    assert.equal(await tell(taskIds), before);
    assert.equal(await deleteOldFinalCounts(storage.home, new Date(Date.now() - 120 * 86_400_000), 1_000), 0);
    assert.ok((await deleteOldFinalCounts(storage.home, new Date(), 1_000)) >= taskIds.length);
    assert.equal(await tell(taskIds), stringifyJson({ admin: [], user: [], group: [] }));
  });
});

const newSlice = (appId: string, taskId: bigint, bucket: number): NewSlice => ({
  ...{
    taskId,
    bucket,
    appId,
    channel: 'apns',
    lane: 'prompt',
    state: 'ready',
    dueInMs: 0,
    tried: [],
    nativeSlice: null,
  },
  ...{ status: Buffer.alloc(1), placeCount: 1, deviceIds: '4096', generations: '1' },
});
