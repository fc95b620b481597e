import { performance } from 'node:perf_hooks';
import { BUCKETS } from '#src/domain/bucket.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import type { Carillon } from '../test/support/carillon.ts';
import type { ApiClient } from './caller.ts';
import { createManyPartitions, PAST_DAYS } from './partitions.ts';
import type { Bench, Result } from './result.ts';
import { startService } from './service.ts';

const TASKS = 100_000;
/** Slices of one device per task, so that 100,000 tasks have a million entries. */
const SLICES_PER_TASK = 10;
const AUDIT_ENTRIES = 100_000;
/** Enough that one pause of the machine does not decide the 99th percentile. */
const CALLS = 500;
const WARM_UP = 20;
const GOAL_MS = 200;
const DAY_MS = 86_400_000;
const TASKS_PER_INSERT = 5_000;

/**
 * Measures task and audit lists with and without filters, and the counters by day. A rare filter matches one row in
 * 20,000, so that a call reads as many rows as it may. The baseline is the same list without filters.
 */
export const lists: Bench = async ({ size = TASKS, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, caller, meter } = await startService(resources, say);
  const now = await fill(carillon, size, say);
  const [from, to] = [20, 10].map((days) => now.getTime() - days * DAY_MS);
  const dayOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const calls: Readonly<Record<string, readonly [path: string, body: object]>> = {
    'tasks, no filter': ['/push/task/list', {}],
    'tasks, oldest first': ['/push/task/list', { order: 'oldest' }],
    'tasks with counts': ['/push/task/list', { counts: true }],
    'tasks of ten days': ['/push/task/list', { from, to }],
    'tasks of one user': ['/push/task/list', { author: 'user:7' }],
    'tasks of one operator': ['/push/task/list', { token_kind: 'operator', token_id: 7 }],
    'tasks in a rare state': ['/push/task/list', { state: 'cancelled' }],
    'tasks with a rare audience': ['/push/task/list', { audience: 'alias' }],
    'tasks with a rare text': ['/push/task/list', { text: 'needle' }],
    'tasks with failures': ['/push/task/list', { channel_failed: 'apns' }],
    'audit, no filter': ['/admin/audit/list', {}],
    'audit of a time': ['/admin/audit/list', { from, to }],
    'audit of one operator': ['/admin/audit/list', { operator_id: 7 }],
    'audit with a rare operation': ['/admin/audit/list', { operation: '/admin/app/' }],
    'audit with a rare text': ['/admin/audit/list', { text: 'needle' }],
    'counters by day': ['/push/statistics/daily', { from: dayOf(PAST_DAYS - 1), to: dayOf(0) }],
  };
  const results: Result[] = [];
  for (const [name, [path, body]] of Object.entries(calls)) {
    const ours = await meter.measure(
      name,
      () => ({ call: WARM_UP + CALLS }),
      () => measure(caller, path, body),
    );
    say(`${name}: p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms`);
    const bare = results.find((other) => name.startsWith(other.name.split(',')[0] as string))?.ours ?? ours.p99;
    const reached = ours.p99 < GOAL_MS;
    results.push({
      name,
      ours: ours.p99,
      bare,
      unit: 'ms p99',
      goal: `< ${GOAL_MS} ms`,
      reached,
      extras: { p50: ours.p50 },
    });
  }
  return { results, work: meter.measured };
};

/** Follows the pages of a list, and starts again at its end. */
async function measure(caller: ApiClient, path: string, body: object): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  let after: number | null = null;
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    const began = performance.now();
    const page: { next?: number | null } = await caller.post(path, { ...body, ...(after !== null && { after }) });
    if (call >= WARM_UP) times.push(performance.now() - began);
    after = page.next ?? null;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] as number;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Creates finished tasks on all days of a service in use, with slices, audit entries and counters by day. */
async function fill({ storage, appId }: Carillon, size: number, say: (line: string) => void): Promise<Date> {
  const { home, shards } = storage;
  const began = performance.now();
  await createManyPartitions(storage);
  const [clock] = await home.query<{ now: Date }>('select now()');
  const { now } = clock as { now: Date };
  const tasksPerDay = Math.ceil(size / PAST_DAYS);
  for (let first = 0; first < size; first += TASKS_PER_INSERT) {
    const numbers = Array.from({ length: Math.min(TASKS_PER_INSERT, size - first) }, (_, i) => first + i);
    const taskIds = numbers.map((n) => {
      const day = PAST_DAYS - 1 - Math.floor(n / tasksPerDay);
      return firstTaskIdAt(new Date(now.getTime() - day * DAY_MS)) + BigInt(n % tasksPerDay) * BigInt(BUCKETS + 1);
    });
    await home.query(
      `insert into tasks (task_id, app_id, author, lane, state, by_range, strategy, ospush_sequence, audience, message,
                          due_at, not_after, next_at, cancelled_at, token_kind, token_id)
       select task_id, $1, case n % 1000 when 7 then 'user:7' else 'admin' end, 'prompt', 'finished', false, 'combined',
              '{ups,fcm}', case n % 20000 when 1 then '{"kind":"alias","names":["a"]}' else '{"kind":"all"}' end,
              '{"title":"' || case n % 20000 when 2 then 'Needle' else repeat('标题', 20) end || '","body":"'
                || repeat('text ', 30) || '"}', now(), now(), now(), case n % 20000 when 3 then now() end,
              case n % 20000 when 4 then 'operator' else 'admin' end, 7
         from unnest($2::bigint[], $3::int[]) as t (task_id, n)`,
      [appId, taskIds, numbers],
    );
    for (const db of shards.all)
      await db.query(
        `insert into slices (task_id, bucket, slice, app_id, channel, lane, n, state, next_at, status, sent, received, history)
         select task_id, bucket, nextval('slice_numbers'), $1, case i % 2 when 0 then 'apns' else 'nativepush' end,
                'prompt', 1, 'closed', now(), '\\x0a', case when n % 5000 = 4 then '0' else '1' end::varbit, '0',
                array['1 ' || case when n % 5000 = 4 then 'refused 0 reason' else 'accepted 0' end]
           from unnest($2::bigint[], $3::int[]) as t (task_id, n), generate_series(1, ${SLICES_PER_TASK}) as i,
                lateral (select (task_id & ${BUCKETS - 1})::smallint) as b (bucket)
          where bucket = any($4)`,
        [appId, taskIds, numbers, shards.rangesOf(db).flatMap(bucketsOf)],
      );
  }
  await home.query(
    `insert into audit (app_id, token_id, token_name, operation, detail, address, at, operator_id)
     select $1, 1, 'bench', case i % 20000 when 1 then '/admin/app/update' else '/admin/user/update' end,
            '{"user_id":' || i || case i % 20000 when 2 then ',"name":"needle"' else '' end || '}', '127.0.0.1',
            now() - (${AUDIT_ENTRIES} - i) * interval '1 minute', case i % 20000 when 3 then 7 end
       from generate_series(1, ${AUDIT_ENTRIES}) as i`,
    [appId],
  );
  await home.query(
    `insert into daily_counts (app_id, day, channel, database, target, sent, received, clicked)
     select $1, day, 'channel-' || channel, 'database-' || database, 1, 1, 1, 1
       from generate_series(0, 400) as day, generate_series(1, 11) as channel, generate_series(1, 3) as database`,
    [appId],
  );
  for (const db of [home, ...shards.all]) await db.query('vacuum analyze');
  say(
    `${size} tasks and ${size * SLICES_PER_TASK} slices created in ${Math.round((performance.now() - began) / 1_000)} s`,
  );
  return now;
}

const bucketsOf = ({ firstBucket, lastBucket }: { readonly firstBucket: number; readonly lastBucket: number }) =>
  Array.from({ length: lastBucket - firstBucket + 1 }, (_, i) => firstBucket + i);
