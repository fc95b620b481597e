import { performance } from 'node:perf_hooks';
import { BUCKETS } from '#src/domain/bucket.ts';
import { channels } from '#src/domain/channel.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { bucketOfTask, firstTaskIdAt } from '#src/domain/task.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type { Carillon } from '../test/support/carillon.ts';
import { createManyPartitions, PAST_DAYS } from './partitions.ts';
import type { Bench, Result } from './result.ts';
import { startService } from './service.ts';

const DEVICES = 1_000_000;
/** Number of small tasks per day, each to one device. */
const TASKS_PER_DAY = 1_000;
const TASKS_PER_CALL = 500;
const PLACES_PER_SLICE = 512;
const CALLS = 300;
/** Number of warm-up calls before the measurement, because the code of a service in production is already compiled. */
const WARM_UP = 100;
const GOAL_MS = 100;
const DAY_MS = 86_400_000;

/**
 * Measures `/push/task/detail`, from the call to the complete response. One kind of call requests a single task to a
 * million devices. The others request the maximum number of small tasks. The baseline queries the same sums with the
 * driver alone.
 */
export const statistics: Bench = async ({ size = DEVICES, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, caller, meter } = await startService(resources, say);
  const { large, small } = await fill(carillon, size, say);
  const week = small.slice(-7);
  const queries: Readonly<Record<string, (call: number) => bigint[]>> = {
    [`one task of ${size} devices`]: () => [large],
    [`${TASKS_PER_CALL} tasks of one day`]: (call) => spread([week[call % week.length] ?? []], call),
    [`${TASKS_PER_CALL} tasks of a week`]: (call) => spread(week, call),
    [`${TASKS_PER_CALL} tasks of ${small.length} days`]: (call) => spread(small, call),
  };
  const results: Result[] = [];
  for (const [name, listOf] of Object.entries(queries)) {
    say(name);
    const devices = name.startsWith('one') ? size : TASKS_PER_CALL;
    const countOurs = async (call: number) => {
      const data = await caller.post<Record<string, number>[]>('/push/task/detail', { list: listOf(call) });
      const targets = channels.map((channel) => data.map((record) => record[`${channel}_target`] as number));
      assertCount(sum(targets.flat()), devices);
    };
    const ours = await meter.measure(
      name,
      () => ({ call: WARM_UP + CALLS }),
      () => measure(countOurs),
    );
    const bare = await measure(async (call) => assertCount(await countBare(carillon, listOf(call)), devices));
    const extras = { p50: ours.p50, 'bare p50': bare.p50 };
    const reached = ours.p99 < GOAL_MS;
    results.push({ name, ours: ours.p99, bare: bare.p99, unit: 'ms p99', goal: `< ${GOAL_MS} ms`, reached, extras });
  }
  return { results, work: meter.measured };
};

async function measure(ask: (call: number) => Promise<void>): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const began = performance.now();
    await ask(call);
    if (call >= WARM_UP) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] as number;
  return { p50: at(0.5), p99: at(0.99) };
}

function assertCount(counted: number, devices: number): void {
  if (counted !== devices) throw new Error(`Counted ${counted} devices instead of ${devices}.`);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);

/** Returns the maximum number of tasks for one call, spread over the given days and different for each call. */
function spread(days: readonly (readonly bigint[])[], call: number): bigint[] {
  return Array.from({ length: TASKS_PER_CALL }, (_, i) => {
    const day = days[i % days.length] as readonly bigint[];
    return day[(call * 7 + Math.floor(i / days.length)) % day.length] as bigint;
  });
}

async function countBare({ storage }: Carillon, taskIds: readonly bigint[]): Promise<number> {
  const sorted = taskIds.toSorted((a, b) => (a < b ? -1 : 1));
  const rows = await Promise.all(
    storage.shards.all.map((db) =>
      db.query<{ target: bigint }>(
        `select s.task_id, s.channel, sum(s.n)::bigint as target, sum(bit_count(s.sent))::bigint as sent,
                sum(bit_count(s.received))::bigint as received
           from unnest($1::bigint[]) as t (task_id)
           join slices s on s.task_id = t.task_id
          where s.task_id between $2 and $3
          group by 1, 2`,
        [sorted, sorted[0], sorted.at(-1)],
      ),
    ),
  );
  return sum(rows.flat().map(({ target }) => Number(target)));
}

/** Creates the partitions of a service in use, with sent tasks on each day. */
async function fill({ storage, appId }: Carillon, size: number, say: (line: string) => void) {
  const began = performance.now();
  await createManyPartitions(storage);
  const [clock] = await storage.home.query<{ now: Date }>('select now()');
  const { now } = clock as { now: Date };
  const small: bigint[][] = [];
  for (let day = PAST_DAYS - 1; day >= 0; day--) {
    const first = firstTaskIdAt(new Date(now.getTime() - day * DAY_MS));
    const taskIds = Array.from({ length: TASKS_PER_DAY }, (_, i) => first + BigInt(i));
    await insertTasks(storage.home, appId, taskIds, false);
    const slices = taskIds.map((taskId, i) => ({
      taskId,
      bucket: bucketOfTask(taskId),
      placeCount: 1,
      channel: channelOf(i),
    }));
    await insertSlices(storage, appId, slices);
    small.push(taskIds);
  }
  const large = firstTaskIdAt(now) + 1_000_000n;
  await insertTasks(storage.home, appId, [large], true);
  const slices = Array.from({ length: Math.ceil(size / PLACES_PER_SLICE) }, (_, i) => ({
    taskId: large,
    bucket: (i * 64) % BUCKETS,
    placeCount: Math.min(PLACES_PER_SLICE, size - i * PLACES_PER_SLICE),
    channel: channelOf(i),
  }));
  await insertSlices(storage, appId, slices);
  for (const db of [storage.home, ...storage.shards.all]) await db.query('vacuum analyze');
  await storage.home.query('checkpoint'); // writes all modified pages to disk now, so that these writes are not measured
  const seconds = Math.round((performance.now() - began) / 1_000);
  say(`${small.flat().length} small tasks and ${slices.length} slices of one large task created in ${seconds} s`);
  return { large, small };
}

const channelOf = (i: number) => channels[i % channels.length] as string;

async function insertTasks(
  home: Carillon['storage']['home'],
  appId: string,
  taskIds: readonly bigint[],
  byRange: boolean,
) {
  await home.query(
    `insert into tasks (task_id, app_id, author, lane, state, by_range, strategy, ospush_sequence, audience, message,
                        due_at, not_after, next_at)
     select task_id, $1, 'admin', 'prompt', 'finished', $3, 'combined', '{ups,fcm}', '{"kind":"all"}',
            '{"title":"' || repeat('x', 200) || '"}', now(), now(), now()
       from unnest($2::bigint[]) as t (task_id)`,
    [appId, taskIds, byRange],
  );
}

interface FilledSlice {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly placeCount: number;
  readonly channel: string;
}

/** Inserts closed slices, with every place sent and every other place received. */
async function insertSlices(
  { shards }: Carillon['storage'],
  appId: string,
  slices: readonly FilledSlice[],
): Promise<void> {
  const groups = Map.groupBy(slices, ({ bucket }): ShardDb => shards.dbFor(bucket));
  for (const [db, group] of groups)
    await db.query(
      `insert into slices (task_id, bucket, slice, app_id, channel, lane, n, state, next_at, status, sent, received)
       select task_id, bucket, nextval('slice_numbers'), $1, channel, 'prompt', n, 'closed', now(),
              decode(repeat('${placeStatus.sent.toString(16).padStart(2, '0')}', n), 'hex'), repeat('1', n)::varbit,
              substr(repeat('10', n), 1, n)::varbit
         from unnest($2::bigint[], $3::smallint[], $4::smallint[], $5::text[]) as s (task_id, bucket, n, channel)`,
      [
        appId,
        group.map(({ taskId }) => taskId),
        group.map(({ bucket }) => bucket),
        group.map(({ placeCount }) => placeCount),
        group.map(({ channel }) => channel),
      ],
    );
}
