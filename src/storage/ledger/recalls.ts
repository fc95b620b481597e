import type { Bits } from '#src/domain/bits.ts';
import type { Channel } from '#src/domain/channel.ts';
import type { SliceKey } from '#src/domain/slice.ts';
import type { TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import type { TaskOfApp } from './statistics.ts';

/**
 * Records that a task must be recalled. Returns false if the data of the task was deleted. Repeating the call changes
 * nothing.
 */
export async function insertRecall(db: HomeDb, { appId, taskId }: TaskOfApp): Promise<boolean> {
  const rows = await db.query(
    `with task as (select task_id, app_id from tasks where task_id = $1 and app_id = $2),
     inserted as (insert into recalls (task_id, app_id) select task_id, app_id from task on conflict do nothing)
     select from task`,
    [taskId, appId],
  );
  return rows.length > 0;
}

/** Returns whether the recall of a task is done, or undefined if the task is not recalled. */
export async function isRecallDone(db: HomeDb, { appId, taskId }: TaskOfApp): Promise<boolean | undefined> {
  const [row] = await db.query<{ done: boolean }>(
    'select next_at is null as done from recalls where task_id = $1 and app_id = $2',
    [taskId, appId],
  );
  return row?.done;
}

/** A recall that this worker continues. */
export interface ClaimedRecall extends TaskOfApp {
  /** Seconds since the recall was requested. */
  readonly ageSeconds: number;
}

/** Longer than a pass over a task with its last call, so that two workers rarely recall the same task. */
const LEASE_MINUTES = 2;

/** Claims the recall that has been due the longest, or returns undefined. */
export async function claimRecall(db: HomeDb): Promise<ClaimedRecall | undefined> {
  const [recall] = await db.queryPrepared<ClaimedRecall>(
    `update recalls set next_at = now() + interval '${LEASE_MINUTES} min'
      where task_id = (select task_id from recalls
                        where next_at <= now()
                        order by next_at
                        limit 1
                          for update skip locked)
      returning task_id as "taskId", app_id as "appId",
                extract(epoch from now() - requested_at)::float8 as "ageSeconds"`,
    [],
  );
  return recall;
}

/** Returns whether a task is finished, so that nothing more is sent. A deleted task is finished too. */
export async function isTaskFinished(db: HomeDb, taskId: bigint): Promise<boolean> {
  const [row] = await db.query<{ finished: boolean }>(
    `select state = 'finished' as finished from tasks where task_id = $1`,
    [taskId],
  );
  return row?.finished ?? true;
}

/** Ends the lease of a recall. It is due again after the delay. */
export async function postponeRecall(db: HomeDb, taskId: bigint, seconds: number): Promise<void> {
  await db.query(
    `update recalls set next_at = now() + $2::float8 * interval '1 s' where task_id = $1 and next_at is not null`,
    [taskId, seconds],
  );
}

export async function finishRecall(db: HomeDb, taskId: bigint): Promise<void> {
  await db.query('update recalls set next_at = null where task_id = $1', [taskId]);
}

/** A slice with places that are not recalled yet. */
export interface SliceToRecall extends SliceKey {
  readonly channel: Channel;
  readonly placeCount: number;
  /** The places that were sent, were not clicked, and are neither recalled nor failed. */
  readonly places: Bits;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
}

/** Returns the channels on which a database has slices of a task. */
export async function findChannelsOfTask(db: ShardDb, taskId: bigint): Promise<Channel[]> {
  const rows = await db.query<{ channel: Channel }>(
    `select distinct channel from slices where task_id = $1 and channel <> 'none'`,
    [taskId],
  );
  return rows.map(({ channel }) => channel);
}

/** Returns up to `limit` slices of a task and channel that follow `after` and have places to recall. */
export function findSlicesToRecall(
  db: ShardDb,
  taskId: bigint,
  channel: Channel,
  after: Pick<SliceKey, 'bucket' | 'sliceNumber'>,
  limit: number,
): Promise<SliceToRecall[]> {
  return db.query<SliceToRecall>(
    `select s.task_id as "taskId", s.bucket, s.slice as "sliceNumber", s.channel, s.n as "placeCount",
            p.places::text as places, t.device_ids as "deviceIds", t.generations
       from slices s
       join slice_targets t on t.task_id = $1 and t.bucket = s.bucket and t.slice = s.slice
       left join slice_recalls r on r.task_id = $1 and r.bucket = s.bucket and r.slice = s.slice
      cross join lateral (select s.sent # s.sent as none) e
      cross join lateral (
              select s.sent & ~(coalesce(s.clicked, e.none) | coalesce(r.recalled | r.failed, e.none)) as places) p
      where s.task_id = $1 and s.channel = $2 and (s.bucket, s.slice) > ($3, $4) and bit_count(p.places) > 0
      order by s.bucket, s.slice
      limit $5`,
    [taskId, channel, after.bucket, after.sliceNumber, limit],
  );
}

/**
 * Adds the places of a slice that were recalled, and those that cannot be recalled. Bits are only added, so two workers
 * can do this at the same time. Writes one row, or none if the slice was deleted.
 */
export async function addRecallResults(
  db: ShardDb,
  { taskId, bucket, sliceNumber }: SliceKey,
  { recalled, failed }: { readonly recalled: Bits; readonly failed: Bits },
): Promise<void> {
  await db.query(
    `insert into slice_recalls as r (task_id, bucket, slice, app_id, channel, recalled, failed)
     select task_id, bucket, slice, app_id, channel, $4::varbit, $5::varbit
       from slices
      where task_id = $1 and bucket = $2 and slice = $3
     on conflict (task_id, bucket, slice) do update
        set recalled = r.recalled | excluded.recalled, failed = r.failed | excluded.failed`,
    [taskId, bucket, sliceNumber, recalled, failed],
  );
}

export interface RecallCounts {
  readonly channel: Channel;
  readonly recalled: bigint;
  readonly failed: bigint;
}

/** Returns the results of a recall in one database, by channel. A place that was recalled in the end did not fail. */
export function countRecalls(db: ShardDb, { appId, taskId }: TaskOfApp): Promise<RecallCounts[]> {
  return db.query<RecallCounts>(
    `select channel, sum(bit_count(recalled))::bigint as recalled, sum(bit_count(failed & ~recalled))::bigint as failed
       from slice_recalls
      where task_id = $1 and app_id = $2
      group by 1`,
    [taskId, appId],
  );
}

/** Deletes up to `limit` results of the given day. Returns the number of deleted rows. */
export async function deleteRecallResults(db: ShardDb, [from, to]: TaskRange, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from slice_recalls
      where (task_id, bucket, slice) in (
              select task_id, bucket, slice
                from slice_recalls
               where task_id between $1 and $2
               order by 1, 2, 3
               limit $3
                 for update skip locked)
      returning 1`,
    [from, to, limit],
  );
  return deleted.length;
}

/** Deletes the recalls of a day. There are few, because each of them is a request of an operator. */
export async function deleteRecalls(db: HomeDb, [from, to]: TaskRange): Promise<void> {
  await db.query(
    `delete from recalls
      where task_id in (select task_id from recalls where task_id between $1 and $2 order by 1 for update)`,
    [from, to],
  );
}
