import { BUCKETS, type BucketRange } from '#src/domain/bucket.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { rangeOfTaskIds } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { type HomeDb, inTransaction, type ShardDb } from '../database/database.ts';
import { type ChannelCounts, countChannelsInDatabase } from './statistics.ts';

/**
 * The invariants of the ledger, as queries that must return no row. L5 (bits are never cleared, epochs never decrease)
 * and L6 (no worker writes without its epoch) are about changes, which a query of the current state cannot check. The
 * simulation in `test/simulation` checks them at every commit.
 */

/** A violation of an invariant. */
export interface Violation {
  readonly law: string;
  readonly what: string;
  readonly taskId: bigint | null;
  readonly bucket: number | null;
  readonly sliceNumber: number | null;
}

/**
 * A task with the fields that the checks need. The task is read before its slices: if it is finished at that time, none
 * of its slices can be open later.
 */
export interface CheckedTask {
  readonly taskId: bigint;
  readonly appId: string;
  readonly finished: boolean;
  readonly byRange: boolean;
}

/** The scope of a check: these tasks and, in these buckets, part `part` of `parts` of their slices. */
export interface CheckScope {
  readonly tasks: readonly CheckedTask[];
  readonly buckets: BucketRange;
  readonly part: number;
  readonly parts: number;
}

/**
 * Maximum number of violations that are returned per invariant. More are not needed, because the check is repeated
 * after a repair.
 */
const VIOLATIONS_MAX = 20;

/** Returns the tasks of an app, or of all apps, starting at an ID. */
export async function findTasksToCheck(
  db: HomeDb,
  appId: string | null,
  from: bigint,
  limit: number | null,
): Promise<CheckedTask[]> {
  return db.query<CheckedTask>(
    `select task_id as "taskId", app_id as "appId", state = 'finished' as finished, coalesce(by_range, false) as "byRange"
       from tasks
      where ($1::text is null or app_id = $1) and task_id >= $2
      order by task_id
      limit $3`,
    [appId, from, limit],
  );
}

export interface RequestKey {
  readonly bucket: number;
  readonly author: string;
  readonly requestId: string;
}

/**
 * Checks L1 for the idempotency keys of an app that follow the given one. Returns the last checked key, or undefined if
 * no more keys follow.
 */
export async function checkRequestKeys(
  db: HomeDb,
  appId: string,
  { bucket, author, requestId }: RequestKey,
  limit: number,
): Promise<{ readonly violations: Violation[]; readonly last: RequestKey | undefined }> {
  const keys = await db.query<RequestKey & { taskId: bigint; taskApp: string | null }>(
    `select k.bucket, k.author, k.request_id as "requestId", k.task_id as "taskId", coalesce(t.app_id, f.app_id) as "taskApp"
       from (select * from request_keys
              where app_id = $1 and (bucket, author, request_id) > ($2, $3, $4)
              order by bucket, author, request_id
              limit $5) k
       left join tasks t on t.task_id = k.task_id
       left join final_counts f on f.task_id = k.task_id
      order by 1, 2, 3`,
    [appId, bucket, author, requestId, limit],
  );
  const mismatched = keys.filter(({ taskApp }) => taskApp !== appId).slice(0, VIOLATIONS_MAX);
  return {
    violations: mismatched.map(({ taskId }) => ({
      law: 'L1',
      what: L1_DESCRIPTION,
      taskId,
      bucket: null,
      sliceNumber: null,
    })),
    last: keys.length < limit ? undefined : keys.at(-1),
  };
}

const L1_DESCRIPTION = 'an idempotency key maps to a task of its app, or to its final counts';

/**
 * Maximum time for which an expired notification may remain in an inbox. Expired notifications are deleted once a
 * minute, starting a minute after their expiry.
 */
const SWEEP_SECONDS = 180;

/** Checks L9 for an app, or for all apps. */
export async function findExpiredInboxRows(db: ShardDb, appId: string | null): Promise<Violation[]> {
  const rows = await db.query<{ taskId: bigint; bucket: number; sliceNumber: number }>(
    `select task_id as "taskId", slice_bucket as bucket, slice as "sliceNumber"
       from inbox
      where expires_at < now() - interval '${SWEEP_SECONDS} s' and ($1::text is null or app_id = $1)
      limit ${VIOLATIONS_MAX}`,
    [appId],
  );
  const what = 'no inbox row outlives its expiry by more than a sweep';
  return rows.map((row) => ({ law: 'L9', what, ...row }));
}

/** Counts the slices and places of tasks in this database, by bucket. */
export async function countSlicesAndPlaces(
  db: ShardDb,
  { tasks, buckets }: Pick<CheckScope, 'tasks' | 'buckets'>,
): Promise<{ taskId: bigint; bucket: number; slices: bigint; places: bigint }[]> {
  const taskIds = tasks.map(({ taskId }) => taskId);
  return db.query(
    `select task_id as "taskId", bucket, count(*) as slices, sum(n)::bigint as places
       from slices
      where task_id = any($1) and task_id between $2 and $3 and bucket between $4 and $5
      group by 1, 2`,
    [taskIds, ...rangeOfTaskIds(taskIds), buckets.firstBucket, buckets.lastBucket],
  );
}

/** Checks L2, L3, L4, L7 and L10 for the part of a scope in this database. */
export async function findViolations(db: ShardDb, scope: CheckScope): Promise<Violation[]> {
  const values = scopeValues(scope);
  const violations: Violation[] = [];
  for (const { law, what, query } of shardInvariants) {
    const rows = await db.query<Omit<Violation, 'law' | 'what'>>(
      `with scope as (
         select * from unnest($1::bigint[], $2::text[], $3::boolean[]) as c (task_id, app_id, finished)
       ) ${query}
        limit ${VIOLATIONS_MAX}`,
      values,
    );
    violations.push(...rows.map((row) => ({ law, what, ...row })));
  }
  return violations;
}

function scopeValues({ tasks, buckets, part, parts }: CheckScope): unknown[] {
  const taskIds = tasks.map(({ taskId }) => taskId);
  return [
    taskIds,
    tasks.map(({ appId }) => appId),
    tasks.map(({ finished }) => finished),
    ...rangeOfTaskIds(taskIds),
    part,
    parts,
    buckets.firstBucket,
    buckets.lastBucket,
  ];
}

/** All slices of the scope as `s`, with their task as `c`, regardless of the part. */
const ALL_SLICES = `scope c join slices s on s.task_id = c.task_id and s.bucket between $8 and $9 and s.task_id between $4 and $5`;
/** The slices of the scope's part. */
const SLICES = `${ALL_SLICES} and s.slice % $7::int = $6::int`;
const TARGETS = `slice_targets t on t.task_id = s.task_id and t.bucket = s.bucket and t.slice = s.slice and t.task_id between $4 and $5`;
const SLICE_KEY_COLUMNS = 's.task_id as "taskId", s.bucket, s.slice as "sliceNumber"';

/**
 * One row per place. The smallest length is used, so that a slice that violates L3 does not make the other queries
 * fail.
 */
const PLACES = 'generate_series(0, least(s.n, length(s.status), length(s.sent)) - 1) as p (place)';

interface Invariant {
  readonly law: string;
  readonly what: string;
  readonly query: string;
}

const shardInvariants: readonly Invariant[] = [
  {
    law: 'L2',
    what: 'within a task and channel a device has one place',
    // A device can have places in any two slices, so the parts divide the devices here.
    query: `
      select s.task_id as "taskId", min(s.bucket) as bucket, min(s.slice) as "sliceNumber"
        from ${ALL_SLICES}
        join ${TARGETS}
       cross join unnest(t.device_ids) as d (device_id)
       where (d.device_id >> 12) % $7::int = $6::int
       group by s.task_id, s.channel, d.device_id
      having count(*) > 1`,
  },
  {
    law: 'L3',
    what: 'a slice has n statuses, n bits and n targets',
    query: `
      select ${SLICE_KEY_COLUMNS}
        from ${SLICES}
        left join ${TARGETS}
       where length(s.status) <> s.n or length(s.sent) <> s.n or length(s.received) <> s.n
          or length(s.clicked) <> s.n
          or cardinality(t.device_ids) is distinct from s.n::int or cardinality(t.generations) is distinct from s.n::int`,
  },
  {
    law: 'L4',
    what: 'a place with a received bit has its sent bit',
    query: `
      select ${SLICE_KEY_COLUMNS} from ${SLICES}
       where case when length(s.sent) = length(s.received) then bit_count(s.received & ~s.sent) > 0 end`,
  },
  {
    law: 'L4',
    what: 'a place with a clicked bit has its received bit',
    query: `
      select ${SLICE_KEY_COLUMNS} from ${SLICES}
       where case when length(s.clicked) = length(s.received) then bit_count(s.clicked & ~s.received) > 0 end`,
  },
  {
    law: 'L4',
    what: 'a place that is sent has its sent bit',
    query: `
      select distinct ${SLICE_KEY_COLUMNS} from ${SLICES}, ${PLACES}
       where get_byte(s.status, p.place) = ${placeStatus.sent} and get_bit(s.sent, p.place) = 0`,
  },
  {
    law: 'L7',
    what: 'a closed slice has no open place',
    query: `
      select distinct ${SLICE_KEY_COLUMNS} from ${SLICES}, ${PLACES}
       where s.state = 'closed' and get_byte(s.status, p.place) < ${placeStatus.sent}`,
  },
  {
    law: 'L7',
    what: 'a finished task has no open slice',
    query: `select ${SLICE_KEY_COLUMNS} from ${SLICES} where c.finished and s.state <> 'closed'`,
  },
  {
    law: 'L10',
    what: "a slice's app is its task's app",
    query: `select ${SLICE_KEY_COLUMNS} from ${SLICES} where s.app_id <> c.app_id`,
  },
];

/** Checks L8: counts tasks of one app again, bit by bit, in the same snapshot as the served counts. */
export async function findMiscountedTasks(
  db: ShardDb,
  appId: string,
  taskIds: readonly bigint[],
): Promise<Violation[]> {
  const [served, recounted] = await inTransaction(db, async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    const appTasks = taskIds.map((taskId) => ({ appId, taskId }));
    return [await countChannelsInDatabase(tx, appTasks), await recount(tx, taskIds)];
  });
  const keyOf = (count: ChannelCounts) =>
    `${count.taskId} ${count.channel} ${count.target} ${count.sent} ${count.received} ${count.clicked}`;
  const [servedKeys, recountedKeys] = [new Set(served.map(keyOf)), new Set(recounted.map(keyOf))];
  const mismatched = [...recounted, ...served].filter(
    (count) => !servedKeys.has(keyOf(count)) || !recountedKeys.has(keyOf(count)),
  );
  const what = 'counts recomputed from single bits equal the served counts';
  return [...new Set(mismatched.map(({ taskId }) => taskId))]
    .slice(0, VIOLATIONS_MAX)
    .map((taskId) => ({ law: 'L8', what, taskId, bucket: null, sliceNumber: null }));
}

/** Counts every slice of the tasks, regardless of its app, and each of its bits. */
async function recount(db: ShardDb, taskIds: readonly bigint[]): Promise<ChannelCounts[]> {
  return db.query<ChannelCounts>(
    `select task_id as "taskId", channel, sum(n)::bigint as target,
            sum(length(replace(sent::text, '0', '')))::bigint as sent,
            sum(length(replace(received::text, '0', '')))::bigint as received,
            sum(coalesce(length(replace(clicked::text, '0', '')), 0))::bigint as clicked
       from slices
      where task_id = any($1) and task_id between $2 and $3 and channel <> 'none'
      group by 1, 2`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/**
 * Returns devices of the scope's slices that this database does not have for the slice's app. They are in another
 * database, erased, or devices of another app.
 */
export async function findMissingDevices(
  db: ShardDb,
  scope: CheckScope,
  limit: number,
): Promise<{ taskId: bigint; bucket: number; sliceNumber: number; appId: string; deviceId: bigint }[]> {
  return db.query(
    `with scope as (
       select * from unnest($1::bigint[], $2::text[], $3::boolean[]) as c (task_id, app_id, finished)
     )
     select ${SLICE_KEY_COLUMNS}, s.app_id as "appId", x.device_id as "deviceId"
       from ${SLICES}
       join ${TARGETS}
      cross join unnest(t.device_ids) as x (device_id)
      where not exists (select from devices d
                         where d.app_id = s.app_id and d.bucket = (x.device_id & 4095)::smallint and d.device_id = x.device_id)
      limit $10`,
    [...scopeValues(scope), limit],
  );
}

/** Returns the given devices that belong to another app in this database. */
export async function findForeignDevices(
  db: ShardDb,
  apps: readonly string[],
  devices: readonly { readonly appId: string; readonly deviceId: bigint }[],
): Promise<ReadonlySet<bigint>> {
  const rows = await db.query<{ deviceId: bigint }>(
    `select u.device_id as "deviceId"
       from unnest($2::text[], $3::bigint[]) as u (app_id, device_id)
       join devices d on d.app_id = any($1) and d.bucket = (u.device_id & 4095)::smallint and d.device_id = u.device_id
      where d.app_id <> u.app_id`,
    [apps, devices.map(({ appId }) => appId), devices.map(({ deviceId }) => deviceId)],
  );
  return new Set(rows.map(({ deviceId }) => deviceId));
}

/**
 * Checks L11 for finished tasks that are expanded by ranges: `rows` are the expansions of all databases. Returns the
 * tasks whose ranges have a gap or an overlap.
 */
export function findMisplannedTasks(rows: readonly ExpansionKey[], taskIds: readonly bigint[]): Violation[] {
  const byTask = Map.groupBy(rows, ({ taskId }) => taskId);
  return taskIds
    .filter((taskId) => !coversEveryKey(byTask.get(taskId) ?? []))
    .map((taskId) => ({
      law: 'L11',
      what: 'the ranges of a task cover every device once',
      taskId,
      bucket: null,
      sliceNumber: null,
    }));
}

/** Returns whether the ranges follow each other without a gap, from the first bucket to the last. */
function coversEveryKey(ranges: readonly ExpansionKey[]): boolean {
  const inOrder = ranges.toSorted((a, b) => a.bucket - b.bucket || Number(a.afterId - b.afterId));
  let next = { bucket: 0, afterId: 0n };
  for (const { bucket, afterId, lastBucket, lastId } of inOrder) {
    if (bucket !== next.bucket || afterId !== next.afterId) return false;
    next = lastId === INT64_MAX ? { bucket: lastBucket + 1, afterId: 0n } : { bucket: lastBucket, afterId: lastId };
  }
  return next.bucket === BUCKETS && next.afterId === 0n;
}

/** The range of an expansion. */
export interface ExpansionKey {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly afterId: bigint;
  readonly lastBucket: number;
  readonly lastId: bigint;
}

export async function findExpansionKeys(db: ShardDb, taskIds: readonly bigint[]): Promise<ExpansionKey[]> {
  return db.query<ExpansionKey>(
    `select task_id as "taskId", bucket, after_id as "afterId", last_bucket as "lastBucket", last_id as "lastId"
       from expansions
      where task_id = any($1)`,
    [taskIds],
  );
}
