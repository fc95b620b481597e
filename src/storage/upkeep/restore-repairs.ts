import type { BucketRange } from '#src/domain/bucket.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { rangeOfTaskIds, TASK_EPOCH_SECONDS, type TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';

/**
 * Queries and repairs for databases that were restored to approximately the same time. One database may have data that
 * another has lost. Each repair can be repeated, and none harms a running service.
 */

/** Returns whether another Carillon process is connected to this database. */
export async function isInUse(db: HomeDb | ShardDb): Promise<boolean> {
  const others = await db.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = 'carillon' and pid <> pg_backend_pid()
      limit 1`,
  );
  return others.length > 0;
}

/** More numbers than can have been assigned in the lost period. */
const NUMBERS_SKIPPED = 1_000_000;

/**
 * Skips numbers that other systems may have stored. For example, a backend that has stored user ID 100123 must not
 * reach a different user who registers after the restore, and an approval must not send a different draft.
 */
export async function skipHomeSequences(db: HomeDb): Promise<void> {
  await skipSequences(
    db,
    `'user_numbers', 'group_numbers', pg_get_serial_sequence('admin_tokens', 'token_id'),
     pg_get_serial_sequence('drafts', 'draft_id'), pg_get_serial_sequence('operators', 'operator_id')`,
  );
}

/**
 * Skips numbers that other systems may have stored. A token in the home database must not give access to another user's
 * device. A vendor's receipt for a lost slice must not count for a new one.
 */
export async function skipShardSequences(db: ShardDb): Promise<void> {
  await skipSequences(db, `'device_numbers', 'slice_numbers'`);
}

/** Advances sequences. Slice numbers wrap around at the maximum; the other sequences never reach it. */
async function skipSequences(db: HomeDb | ShardDb, sequences: string): Promise<void> {
  await db.query(
    `select setval(seqrelid, (nextval(seqrelid) + $1) % seqmax + 1)
       from pg_sequence
      where seqrelid = any(array[${sequences}]::regclass[])`,
    [NUMBERS_SKIPPED],
  );
}

/** A task whose expansions all exist according to the home database, and were not dropped with their day. */
export interface ExpandedTask {
  readonly taskId: bigint;
  readonly finished: boolean;
  readonly byRange: boolean;
  /** The approximate time of the expansion: not before the task was due, unless it was cancelled. */
  readonly expandedAt: Date;
}

export async function findExpandedTasks(db: HomeDb, after: bigint, limit: number): Promise<ExpandedTask[]> {
  return db.query<ExpandedTask>(
    `select task_id as "taskId", state = 'finished' as finished, by_range as "byRange",
            least(greatest(accepted_at, due_at), cancelled_at, finished_at) as "expandedAt"
       from tasks
      where task_id > $1 and state <> 'accepted'
        and not exists (select from final_counts f where f.task_id = tasks.task_id and f.task_id > $1)
      order by task_id
      limit $2`,
    [after, limit],
  );
}

/** The state of a task in one shard database. */
export interface ShardExpansions {
  readonly taskId: bigint;
  /** At least one expansion or slice of the task is open in this database. */
  readonly hasOpenWork: boolean;
}

export async function findShardExpansions(db: ShardDb, taskIds: readonly bigint[]): Promise<ShardExpansions[]> {
  return db.query<ShardExpansions>(
    `select e.task_id as "taskId",
            bool_or(e.state <> 'done')
              or exists (select from slices s
                          where s.task_id = e.task_id and s.state <> 'closed' and s.task_id between $2 and $3) as "hasOpenWork"
       from expansions e
      where e.task_id = any($1)
      group by e.task_id`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/**
 * Makes workers expand tasks again; existing expansions stay unchanged. A worker that holds one of the tasks loses its
 * claim.
 */
export async function reexpandTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query(
    `update tasks set state = 'accepted', finished_at = null, epoch = epoch + 1, next_at = now()
      where task_id = any($1) and task_id between $2 and $3 and state <> 'accepted'`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/** Makes workers check again whether the tasks are finished. */
export async function recheckFinishedTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query(
    `update tasks set state = 'planned', finished_at = null, next_at = now()
      where task_id = any($1) and task_id between $2 and $3 and state = 'finished'`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/** A task that has rows in a shard database. */
export interface TaskInShards {
  readonly taskId: bigint;
  /** The time of acceptance, which is the first part of the task ID. */
  readonly acceptedAt: Date;
}

export async function findTasksInShards(db: ShardDb, after: bigint, limit: number): Promise<TaskInShards[]> {
  return db.query<TaskInShards>(
    `select task_id as "taskId", to_timestamp((task_id >> 22) + ${TASK_EPOCH_SECONDS}) as "acceptedAt"
       from (select distinct task_id from expansions where task_id > $1 order by 1 limit $2) as e
      order by 1`,
    [after, limit],
  );
}

/** Returns the given tasks for which the home database has neither a task nor final counts. */
export async function findUnknownTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<bigint[]> {
  const rows = await db.query<{ taskId: bigint }>(
    `select u.task_id as "taskId"
       from unnest($1::bigint[]) as u (task_id)
      where not exists (select from tasks t where t.task_id = u.task_id and t.task_id between $2 and $3)
        and not exists (select from final_counts f where f.task_id = u.task_id and f.task_id between $2 and $3)`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
  return rows.map(({ taskId }) => taskId);
}

/**
 * Deletes tasks that can be neither sent nor counted, because their message is lost. The expansions are deleted last,
 * because tasks are found by them.
 */
export async function deleteTasks(db: ShardDb, taskIds: readonly bigint[]): Promise<void> {
  const range = rangeOfTaskIds(taskIds);
  for (const table of ['slice_targets', 'slices'])
    await db.query(
      `with gone as (
         select task_id, bucket, slice
           from ${table}
          where task_id = any($1) and task_id between $2 and $3
          order by 1, 2, 3
            for update
       )
       delete from ${table} s using gone g
        where (s.task_id, s.bucket, s.slice) = (g.task_id, g.bucket, g.slice) and s.task_id between $2 and $3`,
      [taskIds, ...range],
    );
  await db.query(
    `with gone as (
       select task_id, bucket, after_id from expansions where task_id = any($1) order by 1, 2, 3 for update
     )
     delete from expansions e using gone g
      where (e.task_id, e.bucket, e.after_id) = (g.task_id, g.bucket, g.after_id)`,
    [taskIds],
  );
}

/** A user's access token, and the device that it gives access to. */
export interface DeviceLogin {
  readonly tokenHash: Buffer;
  readonly appId: string;
  readonly userId: bigint;
  readonly deviceId: bigint;
  readonly generation: number;
  readonly createdAt: Date;
}

/** Returns the logins that follow `after`, or the first logins, in the order of devices. */
export async function findLogins(
  db: HomeDb,
  after: Pick<DeviceLogin, 'deviceId' | 'tokenHash'> | undefined,
  limit: number,
): Promise<DeviceLogin[]> {
  return db.query<DeviceLogin>(
    `select token_hash as "tokenHash", app_id as "appId", user_id as "userId", device_id as "deviceId", generation,
            created_at as "createdAt"
       from user_tokens
      where device_id is not null and (device_id, token_hash) > ($1, $2)
      order by device_id, token_hash
      limit $3`,
    [after?.deviceId ?? 0n, after?.tokenHash ?? Buffer.alloc(0), limit],
  );
}

/**
 * Returns the tokens of logins that do not match their device: the device does not exist, or never had this
 * generation. The next login on the device would get the same generation, and the token would give access to it.
 */
export async function findLostLogins(db: ShardDb, logins: readonly DeviceLogin[]): Promise<Buffer[]> {
  const rows = await db.query<{ tokenHash: Buffer }>(
    `select l.token_hash as "tokenHash"
       from unnest($1::bytea[], $2::text[], $3::bigint[], $4::smallint[], $5::bigint[], $6::int[])
            as l (token_hash, app_id, user_id, bucket, device_id, generation)
      where not exists (
              select from devices d
               where d.app_id = l.app_id and d.bucket = l.bucket and d.device_id = l.device_id
                 and (d.generation > l.generation or d.generation = l.generation and d.user_id = l.user_id))`,
    [
      logins.map(({ tokenHash }) => tokenHash),
      logins.map(({ appId }) => appId),
      logins.map(({ userId }) => userId),
      logins.map(({ deviceId }) => bucketOfDevice(deviceId)),
      logins.map(({ deviceId }) => deviceId),
      logins.map(({ generation }) => generation),
    ],
  );
  return rows.map(({ tokenHash }) => tokenHash);
}

export async function revokeLostLogins(db: HomeDb, tokenHashes: readonly Buffer[]): Promise<void> {
  await db.query(
    `with locked as (
       select token_hash from user_tokens where token_hash = any($1::bytea[]) order by token_hash for update
     ), gone as (
       delete from user_tokens t using locked l where t.token_hash = l.token_hash returning t.app_id, t.token_hash
     )
     insert into revocations (app_id, token_hash) select app_id, token_hash from gone`,
    [tokenHashes],
  );
}

/**
 * Deletes the unexpired notifications in the inboxes of a range of buckets, because some receipts would be recorded for
 * a slice that was lost or replaced. Expired notifications are kept, because their slice must still find them to record
 * the expiry.
 */
export async function clearInboxes(db: ShardDb, { firstBucket, lastBucket }: BucketRange): Promise<void> {
  await db.query(
    `with gone as (
       select bucket, device_id, task_id
         from inbox
        where bucket between $1 and $2 and expires_at > now()
        order by 1, 2, 3
          for update
     )
     delete from inbox i using gone g
      where (i.bucket, i.device_id, i.task_id) = (g.bucket, g.device_id, g.task_id)`,
    [firstBucket, lastBucket],
  );
}

/**
 * Makes slices that wait for devices due, so that their notifications are inserted into the inboxes again. Leased
 * slices are included, because their worker may have inserted the notifications just before the inboxes were cleared.
 * The worker loses its claim. Returns the number of slices.
 */
export async function requeueInboxSlices(db: ShardDb, taskRange: TaskRange): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with hurried as (
       update slices set next_at = now(), epoch = epoch + (state = 'leased')::int
        where channel = 'nativepush' and state in ('waiting', 'leased') and next_at > now() and task_id between $1 and $2
        returning 1
     )
     select count(*)::int as count from hurried`,
    [...taskRange],
  );
  return (row as { count: number }).count;
}
