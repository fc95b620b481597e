import { performance } from 'node:perf_hooks';
import { BUCKETS } from '#src/domain/bucket.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import type { Carillon } from '../test/support/carillon.ts';
import { createDayPartitions } from '../test/support/old-tasks.ts';
import type { ApiClient } from './caller.ts';
import { deviceOf, fillDevices, type Traits } from './fill-devices.ts';
import type { Bench, Result } from './result.ts';
import { startService } from './service.ts';

const DEVICES = 1_000_000;
/** One task to a single device for each ten devices, spread over the days for which tasks are kept. */
const DEVICES_PER_TASK = 10;
const DAYS = 92;
/** Tasks to all devices except the last tenth, which registered later and has only single notifications. */
const BROADCASTS = 20;
const NEWCOMERS = 0.1;
const RANGE_DEVICES = 60_000;
const SLICE_DEVICES = 512;
const CALLS = 300;
const WARM_UP = 50;
const GOAL_MS = 200;
const DAY_MS = 86_400_000;

/**
 * Measures the first page of `/admin/device/notifications` in an app with a million devices and 100,000 tasks. The
 * baseline finds the devices of the user.
 */
export const deviceNotifications: Bench = async ({ size = DEVICES, say }) => {
  await using parts = new AsyncDisposableStack();
  const { carillon, caller, meter } = await startService(parts, say);
  await fill(carillon, size, say);
  const results: Result[] = [];
  const oldest = Math.floor(size * (1 - NEWCOMERS));
  const kinds = { 'tasks to all devices': [1, oldest], 'single tasks only': [oldest + 1, size] } as const;
  for (const [name, [from, to]] of Object.entries(kinds)) {
    say(`${CALLS} first pages of users with ${name}`);
    const step = Math.max(Math.floor((to - from) / (CALLS + WARM_UP)), 1);
    const userIds = Array.from({ length: CALLS + WARM_UP }, (_, i) => userIdOf(carillon.appId, from + i * step));
    const ours = await meter.measure(
      name,
      () => ({ call: userIds.length }),
      () => measure(userIds, (userId) => readFirstPage(caller, userId)),
    );
    const bare = await measure(userIds, (userId) => queryBare(carillon, userId));
    const extras = { p50: ours.p50, 'bare p50': bare.p50, 'rows per call': ours.rows / CALLS };
    const reached = ours.p99 < GOAL_MS;
    results.push({ name, ours: ours.p99, bare: bare.p99, unit: 'ms p99', goal: `< ${GOAL_MS} ms`, reached, extras });
  }
  return { results, work: meter.measured };
};

const traitsOf = (): Traits => ({
  vendors: ['apns'],
  latestDomestic: null,
  generation: 1,
  seenDaysAgo: 0,
  gateway: null,
});
const userIdOf = (appId: string, index: number): bigint => deviceOf(appId, index, traitsOf()).userId;

async function readFirstPage(caller: ApiClient, userId: bigint): Promise<number> {
  return (await caller.post<{ list: unknown[] }>('/admin/device/notifications', { user_id: userId })).list.length;
}

async function queryBare({ storage, appId }: Carillon, userId: bigint): Promise<number> {
  const text = 'select device_id from devices where app_id = $1 and user_id = $2';
  return (await Promise.all(storage.shards.all.map((db) => db.queryPrepared(text, [appId, userId])))).flat().length;
}

async function measure(userIds: readonly bigint[], ask: (userId: bigint) => Promise<number>) {
  const times: number[] = [];
  let rows = 0;
  for (const [i, userId] of userIds.entries()) {
    const began = performance.now();
    const count = await ask(userId);
    if (i < WARM_UP) continue;
    times.push(performance.now() - began);
    rows += count;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] as number;
  return { p50: at(0.5), p99: at(0.99), rows };
}

/** Creates users, devices, and the ledger of finished tasks. */
async function fill(carillon: Carillon, size: number, say: (line: string) => void): Promise<void> {
  const { storage, appId } = carillon;
  const buckets = new Map<bigint, Set<number>>();
  for (let n = 1; n <= size; n++) {
    const { userId, bucket } = deviceOf(appId, n, traitsOf());
    const own = buckets.get(userId) ?? new Set();
    buckets.set(userId, own.add(bucket));
  }
  const users = [...buckets];
  for (let from = 0; from < users.length; from += 20_000) {
    const part = users.slice(from, from + 20_000);
    await storage.home.query(
      `insert into users (app_id, user_id, device_buckets)
       select $1, user_id, string_to_array(buckets, ',')::smallint[]
         from unnest($2::bigint[], $3::text[]) as u (user_id, buckets)`,
      [appId, part.map(([userId]) => userId), part.map(([, own]) => [...own].join(','))],
    );
  }
  await fillDevices(carillon, { size, say, traitsOf, gateways: [] });
  await createDayPartitions(storage, DAYS);
  say('tasks to single devices');
  await insertSingleTasks(carillon, size);
  say(`${BROADCASTS} tasks to all devices`);
  for (let n = 0; n < BROADCASTS; n++) await insertBroadcast(carillon, size, n);
  for (const db of [storage.home, ...storage.shards.all]) await db.query('vacuum analyze');
}

const taskIdAt = (daysAgo: number, bucket: number): bigint =>
  firstTaskIdAt(new Date(Date.now() - daysAgo * DAY_MS)) | BigInt(bucket);

async function insertTasks({ storage, appId }: Carillon, taskIds: readonly bigint[], byRange: boolean): Promise<void> {
  await storage.home.query(
    `insert into tasks (task_id, app_id, author, lane, state, by_range, strategy, ospush_sequence, audience, message, due_at,
                        not_after, next_at, finished_at)
     select task_id, $2, 'admin', 'prompt', 'finished', $3, 'combined', '{ups,fcm}', '{"kind":"all"}',
            '{"type":"text","title":"A title","body":"' || repeat('words ', 30) || '"}', now(), now(), now(), now()
       from unnest($1::bigint[]) as t (task_id)`,
    [taskIds, appId, byRange],
  );
}

const SLICE = `app_id, channel, lane, n, state, next_at, status, sent, received, history`;
const sliceValues = (count: string) => `
  $1, 'nativepush', 'prompt', ${count}, 'closed', now(),
  decode(repeat('${Buffer.from([placeStatus.sent]).toString('hex')}', (${count})::int), 'hex'),
  repeat('1', (${count})::int)::varbit, repeat('1', (${count})::int)::varbit, '{}'`;

async function insertSingleTasks(carillon: Carillon, size: number): Promise<void> {
  const { storage, appId } = carillon;
  const count = Math.floor(size / DEVICES_PER_TASK);
  const tasks = Array.from({ length: count }, (_, i) => {
    const bucket = (i * 7_919) % BUCKETS;
    const { deviceId } = deviceOf(appId, ((i * 104_729) % size) + 1, traitsOf());
    return { taskId: taskIdAt((DAYS * i) / count, bucket) + BigInt((i % 1_000) * BUCKETS), deviceId };
  });
  const unique = [...new Map(tasks.map((task) => [task.taskId, task])).values()];
  for (let from = 0; from < unique.length; from += 20_000) {
    const part = unique.slice(from, from + 20_000);
    await insertTasks(
      carillon,
      part.map(({ taskId }) => taskId),
      false,
    );
    for (const [db, own] of Map.groupBy(part, ({ taskId }) => storage.shards.dbFor(Number(taskId % BigInt(BUCKETS))))) {
      const values = [appId, own.map(({ taskId }) => taskId), own.map(({ deviceId }) => deviceId)];
      const given = 'unnest($2::bigint[], $3::bigint[]) as g (task_id, device_id)';
      await db.query(
        `with added as (
           insert into slice_targets (task_id, bucket, slice, device_ids, generations)
           select task_id, task_id & 4095, 1, array[device_id], '{1}' from ${given}
         ), expanded as (
           insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
           select task_id, task_id & 4095, 0, task_id & 4095, 9223372036854775807, $1, 'prompt', 'done', now(), now()
             from ${given}
         )
         insert into slices (task_id, bucket, slice, ${SLICE})
         select task_id, task_id & 4095, 1, ${sliceValues('1')} from ${given}`,
        values,
      );
    }
  }
}

/** Inserts the slices of a task to all older devices: ranges of the key, divided into slices. */
async function insertBroadcast(carillon: Carillon, size: number, n: number): Promise<void> {
  const { storage, appId } = carillon;
  const taskId = taskIdAt((DAYS * (n + 0.5)) / BROADCASTS, n);
  await insertTasks(carillon, [taskId], true);
  const lastId = BigInt(Math.floor(size * (1 - NEWCOMERS))) * BigInt(BUCKETS);
  for (const db of storage.shards.all)
    await db.query(
      `with numbered as materialized (
         select bucket, device_id, row_number() over (order by bucket, device_id) - 1 as position
           from devices where app_id = $1 and device_id <= $3
       ), ranged as materialized (
         select bucket, device_id, position,
                first_value(bucket) over w as first_bucket, first_value(device_id) over w as first_id
           from numbered
         window w as (partition by position / ${RANGE_DEVICES} order by position)
       ), expanded as (
         insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
         select $2, first_bucket, first_id - 1, (array_agg(bucket order by position desc))[1],
                (array_agg(device_id order by position desc))[1], $1, 'bulk', 'done', now(), now()
           from ranged
          group by first_bucket, first_id
       ), targets as (
         insert into slice_targets (task_id, bucket, slice, device_ids, generations)
         select $2, first_bucket, position / ${SLICE_DEVICES}, array_agg(device_id order by position),
                array_agg(1 order by position)
           from ranged
          group by first_bucket, position / ${SLICE_DEVICES}
         returning bucket, slice, cardinality(device_ids) as n
       )
       insert into slices (task_id, bucket, slice, ${SLICE})
       select $2, bucket, slice, ${sliceValues('n')} from targets`,
      [appId, taskId, lastId],
    );
}
