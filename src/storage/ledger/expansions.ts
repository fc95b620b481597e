import type { BucketRange } from '#src/domain/bucket.ts';
import type { ExpansionProgress } from '#src/domain/finish.ts';
import { type Lane, rangeOfTaskIds, type TaskRange } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { inTransaction, type ShardDb } from '../database/database.ts';
import type { DeviceGroup } from '../devices/devices.ts';
import { LIVE_SESSIONS_JOIN } from '../devices/presence.ts';
import { dueRows } from './app-turns.ts';
import { type DeviceAudience, GROUP_COLUMNS } from './audience-devices.ts';
import type { Claim } from './tasks.ts';

/**
 * A part of a task's audience that is turned into slices in one transaction. A list has one expansion. All devices, or
 * those with tags, are divided into ranges of the key (bucket, device ID). A group is divided into ranges of user IDs,
 * all in the task's bucket. The range begins after `afterId` and ends with `lastId`.
 */
export interface NewExpansion {
  readonly taskId: bigint;
  /** The first bucket of the range. It is also the bucket of the slices. */
  readonly bucket: number;
  readonly afterId: bigint;
  readonly lastBucket: number;
  readonly lastId: bigint;
  readonly appId: string;
  readonly lane: Lane;
}

export interface ClaimedExpansion extends NewExpansion {
  readonly epoch: number;
  readonly cancelled: boolean;
}

/** Returns an expansion that covers whole buckets. */
export function expansionOf(
  { taskId, appId, lane }: { readonly taskId: bigint; readonly appId: string; readonly lane: Lane },
  { firstBucket, lastBucket }: BucketRange,
): NewExpansion {
  return { taskId, appId, lane, bucket: firstBucket, afterId: 0n, lastBucket, lastId: INT64_MAX };
}

/**
 * Inserts all expansions that a task has in this database, or none if the task has any already. Two workers may divide
 * the audience differently, so the insert of the first range decides which of them plans the task. With `done`, the
 * expansions create no slices, because the task was cancelled.
 */
export async function planExpansions(
  db: ShardDb,
  expansions: readonly NewExpansion[],
  { done }: { readonly done: boolean },
): Promise<void> {
  await db.query(
    `with input as materialized (
       select * from ${EXPANSION_INPUT}
     ), first as (
       insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
       select task_id, bucket, after_id, last_bucket, last_id, app_id, lane, $8, now(), case when $8 = 'done' then now() end
         from input
        where position = 1
       on conflict do nothing
       returning task_id
     )
     insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
     select task_id, bucket, after_id, last_bucket, last_id, app_id, lane, $8, now(), case when $8 = 'done' then now() end
       from input
      where position > 1 and exists (select from first)`,
    [...expansionColumns(expansions), done ? 'done' : 'ready'],
  );
}

/** Claims due expansions that no worker holds. */
export async function claimExpansions(db: ShardDb, claim: Claim): Promise<ClaimedExpansion[]> {
  const due = dueRows('expansions', 'task_id, bucket, after_id', claim, 6);
  return db.query<ClaimedExpansion>(
    `with due as (
       ${due.text}
     )
     update expansions e
        set state = 'leased', epoch = e.epoch + 1, next_at = now() + $5 * interval '1 s'
       from due
      where (e.task_id, e.bucket, e.after_id) = (due.task_id, due.bucket, due.after_id)
      returning e.task_id as "taskId", e.bucket, e.after_id as "afterId", e.last_bucket as "lastBucket",
                e.last_id as "lastId", e.app_id as "appId", e.lane, e.epoch, e.cancelled`,
    [claim.lane, claim.limit, ...claim.taskRange, claim.leaseSeconds, ...due.values],
  );
}

/** Extends the lease of an expansion that this worker still holds. */
export async function renewExpansion(
  db: ShardDb,
  { taskId, bucket, afterId, epoch }: ClaimedExpansion,
  leaseSeconds: number,
): Promise<void> {
  await db.query(
    `update expansions set next_at = now() + $5 * interval '1 s'
      where task_id = $1 and bucket = $2 and after_id = $3 and epoch = $4 and state = 'leased'`,
    [taskId, bucket, afterId, epoch, leaseSeconds],
  );
}

/** Returns the given apps that already have `slicesMax` due slices in this lane. */
export async function findBusyApps(
  db: ShardDb,
  lane: Lane,
  appIds: readonly string[],
  taskRange: TaskRange,
  slicesMax: number,
): Promise<string[]> {
  const rows = await db.query<{ appId: string }>(
    `select app_id as "appId"
       from unnest($1::text[]) as app (app_id)
      where (select count(*)
               from (select from slices s
                      where s.lane = $2 and s.state <> 'closed' and s.app_id = app.app_id and s.next_at <= now()
                        and s.task_id between $3 and $4
                      limit $5) as due) >= $5`,
    [appIds, lane, ...taskRange, slicesMax],
  );
  return rows.map(({ appId }) => appId);
}

/** Devices per page: few enough to sort in PostgreSQL's memory, and enough to outweigh a round trip. */
const DEVICES_PER_PAGE = 8_192;

/** A position in a range: after this device, or after this user of a group. */
interface RangePosition {
  readonly bucket: number;
  readonly id: bigint;
}

/** Limits of one transaction. The rest of the range becomes another expansion. */
export interface RangeLimits {
  readonly devices: number;
  readonly milliseconds: number;
  /** Whether other work is waiting. The range then ends with the current page. */
  readonly shouldYield: () => boolean;
}

/**
 * Reads the devices of a range that were registered when the task was due, and ends the expansion. With tags, it reads
 * only devices that have any of them. If a limit is reached, the expansion ends there, and another expansion for the
 * rest of the range is inserted. Everything is one transaction, so a crash leaves nothing behind. The transaction is
 * rolled back if another worker has claimed the expansion (`lost`) or its task was cancelled. Devices with the same
 * routing properties share a row of a page, because a row for each device would cost several times as much.
 */
export async function streamRange(
  db: ShardDb,
  expansion: ClaimedExpansion,
  audience: DeviceAudience,
  limits: RangeLimits,
  handle: (tx: ShardDb, groups: readonly DeviceGroup[], isLast: boolean) => Promise<void>,
): Promise<ExpansionEnd> {
  const beganMs = performance.now();
  return rollBackUnlessDone(db, async (tx) => {
    // Sessions are unlogged. After a crash PostgreSQL has no statistics about the sessions that are announced again,
    // and would compare each device with each session. A hash join always works well here, because both sides are
    // bounded.
    await tx.query('set local enable_nestloop = off');
    let after: RangePosition = { bucket: expansion.bucket, id: expansion.afterId };
    for (let devices = 0; ; ) {
      const pageEnd = await findPageEnd(tx, expansion, audience.tags, after);
      const upTo = pageEnd ?? { bucket: expansion.lastBucket, id: expansion.lastId };
      const groups = await findPage(tx, expansion.appId, audience, after, upTo);
      devices += groups.reduce((sum, { placeCount }) => sum + placeCount, 0);
      const isOverLimit =
        devices >= limits.devices || performance.now() - beganMs >= limits.milliseconds || limits.shouldYield();
      await handle(tx, groups, !pageEnd || isOverLimit);
      if (!pageEnd) return endExpansion(tx, expansion);
      if (isOverLimit) return splitExpansion(tx, expansion, pageEnd);
      after = pageEnd;
    }
  });
}

/**
 * Ends an expansion after `handle` has inserted its slices, in one transaction. With `upTo`, another expansion for the
 * rest of the range is inserted.
 */
export function completeExpansion(
  db: ShardDb,
  expansion: ClaimedExpansion,
  upTo: RangePosition | undefined,
  handle: (tx: ShardDb) => Promise<void>,
): Promise<ExpansionEnd> {
  return rollBackUnlessDone(db, async (tx) => {
    await handle(tx);
    return upTo ? splitExpansion(tx, expansion, upTo) : endExpansion(tx, expansion);
  });
}

async function rollBackUnlessDone(db: ShardDb, work: (tx: ShardDb) => Promise<ExpansionEnd>): Promise<ExpansionEnd> {
  return inTransaction(db, async (tx) => {
    const outcome = await work(tx);
    if (outcome !== 'done') throw new ExpansionRollback(outcome);
    return outcome;
  }).catch((error: unknown) => {
    if (error instanceof ExpansionRollback) return error.outcome;
    throw error;
  });
}

/**
 * Returns the last device of a page, whether or not the device is in the audience. Returns undefined if the rest of the
 * range fits on the page.
 */
async function findPageEnd(
  db: ShardDb,
  { appId, lastBucket, lastId }: ClaimedExpansion,
  tags: readonly string[] | null,
  after: RangePosition,
): Promise<RangePosition | undefined> {
  const [lastDevice] = await db.query<RangePosition>(
    `select bucket, device_id as id from ${tags === null ? 'devices where' : 'tags where tag = any($6) and'}
            app_id = $1 and ${within('bucket, device_id')}
      order by bucket, device_id offset ${DEVICES_PER_PAGE} limit 1`,
    [appId, after.bucket, after.id, lastBucket, lastId, ...(tags === null ? [] : [tags])],
  );
  return lastDevice;
}

/** Returns a condition for keys between the parameters $2, $3 (exclusive) and $4, $5 (inclusive). */
const within = (columns: string): string => `(${columns}) > ($2, $3) and (${columns}) <= ($4, $5)`;

/**
 * Returns the device groups of one page. The page's bounds are repeated for each table, because the planner does not
 * derive them.
 */
async function findPage(
  db: ShardDb,
  appId: string,
  { dueAt, tags }: DeviceAudience,
  after: RangePosition,
  upTo: RangePosition,
): Promise<DeviceGroup[]> {
  // Selects by device ID, so that a query for a rare tag is cheap.
  const tagged = `and (d.bucket, d.device_id) in (select bucket, device_id from tags
                                                   where app_id = $1 and tag = any($7) and ${within('bucket, device_id')})`;
  return db.query<DeviceGroup>(
    `select ${GROUP_COLUMNS}
       from devices d ${LIVE_SESSIONS_JOIN} and ${within('s.bucket, s.device_id')}
      where d.app_id = $1 and ${within('d.bucket, d.device_id')} and d.registered_at <= $6 and d.user_id is not null
        ${tags === null ? '' : tagged}
      group by 1, 2, 3, 4`,
    [appId, after.bucket, after.id, upTo.bucket, upTo.id, dueAt, ...(tags === null ? [] : [tags])],
  );
}

/** How the transaction of an expansion ended. */
export type ExpansionEnd = 'done' | 'lost' | 'cancelled';

class ExpansionRollback extends Error {
  readonly outcome: ExpansionEnd;

  constructor(outcome: ExpansionEnd) {
    super();
    this.outcome = outcome;
  }
}

/**
 * Ends an expansion that this worker holds. Returns `lost` if another worker holds it, and `cancelled` if its task was
 * cancelled.
 */
export async function endExpansion(
  db: ShardDb,
  { taskId, bucket, afterId, epoch }: ClaimedExpansion,
): Promise<ExpansionEnd> {
  const [row] = await db.query<{ cancelled: boolean }>(
    `update expansions set state = 'done', done_at = now()
      where task_id = $1 and bucket = $2 and after_id = $3 and epoch = $4 and state = 'leased'
      returning cancelled`,
    [taskId, bucket, afterId, epoch],
  );
  if (!row) return 'lost';
  return row.cancelled ? 'cancelled' : 'done';
}

/** Ends an expansion at a position of its range, and inserts another expansion for the rest. */
async function splitExpansion(
  db: ShardDb,
  { taskId, bucket, afterId, epoch }: ClaimedExpansion,
  upTo: RangePosition,
): Promise<ExpansionEnd> {
  const [row] = await db.query<{ cancelled: boolean }>(
    `with whole as materialized (
       select task_id, bucket, after_id, last_bucket, last_id, app_id, lane
         from expansions
        where task_id = $1 and bucket = $2 and after_id = $3 and epoch = $4 and state = 'leased'
          for update
     ), rest as (
       insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at)
       select task_id, $5, $6, last_bucket, last_id, app_id, lane, 'ready', now() from whole
     )
     update expansions e set state = 'done', done_at = now(), last_bucket = $5, last_id = $6
       from whole w
      where (e.task_id, e.bucket, e.after_id) = (w.task_id, w.bucket, w.after_id)
      returning e.cancelled`,
    [taskId, bucket, afterId, epoch, upTo.bucket, upTo.id],
  );
  if (!row) return 'lost';
  return row.cancelled ? 'cancelled' : 'done';
}

/** Returns the given devices that have a place in a task's slices of one bucket. Scans all of these slices. */
export async function findTargetedDevices(
  db: ShardDb,
  taskId: bigint,
  bucket: number,
  deviceIds: readonly bigint[],
): Promise<bigint[]> {
  const rows = await db.query<{ deviceId: bigint }>(
    `select distinct d.device_id as "deviceId"
       from slice_targets t, unnest(t.device_ids) as d (device_id)
      where t.task_id = $1 and t.bucket = $2 and t.device_ids && $3::bigint[] and d.device_id = any($3)`,
    [taskId, bucket, deviceIds],
  );
  return rows.map(({ deviceId }) => deviceId);
}

/** Returns the progress of tasks in this database. A task without expansions is absent. */
export async function findShardProgress(
  db: ShardDb,
  taskIds: readonly bigint[],
): Promise<(ExpansionProgress & { readonly taskId: bigint })[]> {
  return db.query(
    `select e.task_id as "taskId", bool_or(e.state <> 'done') as "hasOpenExpansion",
            exists (select from slices s
                     where s.task_id = e.task_id and s.state <> 'closed' and s.task_id between $2 and $3) as "hasOpenSlice"
       from expansions e
      where e.task_id = any($1)
      group by e.task_id`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

const EXPANSION_INPUT = `
  unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::text[], $7::text[])
  with ordinality as e (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, position)`;

/** Returns expansions as the columns of an unnest. */
export function expansionColumns(expansions: readonly NewExpansion[]): unknown[] {
  return [
    expansions.map(({ taskId }) => taskId),
    expansions.map(({ bucket }) => bucket),
    expansions.map(({ afterId }) => afterId),
    expansions.map(({ lastBucket }) => lastBucket),
    expansions.map(({ lastId }) => lastId),
    expansions.map(({ appId }) => appId),
    expansions.map(({ lane }) => lane),
  ];
}
