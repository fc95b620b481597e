import { shardOfDevice } from '#src/domain/device.ts';
import { rangeOfTaskIds, TASK_EPOCH_SECONDS, type TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';

/**
 * Questions and repairs for databases that were restored, each to about the same moment: what one of them has forgotten
 * another may remember. Each may be repeated, and none does harm to a service that runs.
 */

/** Whether another process of ours is connected to this database. */
export async function isInUse(db: HomeDb | ShardDb): Promise<boolean> {
  const others = await db.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name = 'carillon' and pid <> pg_backend_pid()
      limit 1`,
  );
  return others.length > 0;
}

/** More than can have been given out in what was lost. */
const NUMBERS_SKIPPED = 1_000_000;

/**
 * Numbers that others remember are not given again: a backend that knows Ada as 100123 must not reach whoever is
 * registered next.
 */
export async function skipHomeSequences(db: HomeDb): Promise<void> {
  await skipSequences(db, `'user_numbers', 'group_numbers', pg_get_serial_sequence('admin_tokens', 'token_id')`);
}

/**
 * A token that the home database remembers must not open somebody else's device, nor a vendor that remembers a slice tell
 * of another one.
 */
export async function skipShardSequences(db: ShardDb): Promise<void> {
  await skipSequences(db, `'device_numbers', 'slice_numbers'`);
}

/** Behind the last number those of slices begin anew, which others never come to. */
async function skipSequences(db: HomeDb | ShardDb, sequences: string): Promise<void> {
  await db.query(
    `select setval(seqrelid, (nextval(seqrelid) + $1) % seqmax + 1)
       from pg_sequence
      where seqrelid = any(array[${sequences}]::regclass[])`,
    [NUMBERS_SKIPPED],
  );
}

/** A task of which the home database says that all its expansions exist, and that they were not dropped with their day. */
export interface ExpandedTask {
  readonly taskId: bigint;
  readonly finished: boolean;
  readonly expansions: number;
  /** About when it was expanded: not before it was due, unless it was cancelled. */
  readonly expandedAt: Date;
}

export async function findExpandedTasks(db: HomeDb, after: bigint, limit: number): Promise<ExpandedTask[]> {
  return db.query<ExpandedTask>(
    `select task_id as "taskId", state = 'finished' as finished, expansions,
            least(greatest(accepted_at, due_at), cancelled_at, finished_at) as "expandedAt"
       from tasks
      where task_id > $1 and state <> 'accepted'
        and not exists (select from final_counts f where f.task_id = tasks.task_id and f.task_id > $1)
      order by task_id
      limit $2`,
    [after, limit],
  );
}

/** What one shard database has of a task. */
export interface ShardExpansions {
  readonly taskId: bigint;
  readonly expansionCount: number;
  readonly doneCount: number;
  /** A slice is open there. */
  readonly hasOpenSlice: boolean;
}

export async function findShardExpansions(db: ShardDb, taskIds: readonly bigint[]): Promise<ShardExpansions[]> {
  return db.query<ShardExpansions>(
    `select e.task_id as "taskId", count(*)::int as "expansionCount",
            (count(*) filter (where e.state = 'done'))::int as "doneCount",
            exists (select from slices s
                     where s.task_id = e.task_id and s.state <> 'closed' and s.task_id between $2 and $3) as "hasOpenSlice"
       from expansions e
      where e.task_id = any($1)
      group by e.task_id`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/** They are expanded again; expansions that exist stay as they are. A worker that holds one loses it. */
export async function reexpandTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query(
    `update tasks set state = 'accepted', finished_at = null, epoch = epoch + 1, next_at = now()
      where task_id = any($1) and task_id between $2 and $3 and state <> 'accepted'`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/** Their end is looked for again. */
export async function recheckFinishedTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query(
    `update tasks set state = 'planned', finished_at = null, next_at = now()
      where task_id = any($1) and task_id between $2 and $3 and state = 'finished'`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/** A task of which a shard database has something. */
export interface TaskInShards {
  readonly taskId: bigint;
  /** When it was accepted: its id begins with that. */
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

/** Those that the home database has neither as a task nor as final counts. */
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

/** Without its message nothing of a task can be sent or counted. The expansions go last: they are what it is found by. */
export async function deleteTasks(db: ShardDb, taskIds: readonly bigint[]): Promise<void> {
  const range = rangeOfTaskIds(taskIds);
  for (const table of ['slice_targets', 'slices'])
    await db.query(`delete from ${table} where task_id = any($1) and task_id between $2 and $3`, [taskIds, ...range]);
  await db.query('delete from expansions where task_id = any($1)', [taskIds]);
}

/** A user's token, and the device that it opens. */
export interface DeviceLogin {
  readonly tokenHash: Buffer;
  readonly appId: string;
  readonly userId: bigint;
  readonly deviceId: bigint;
  readonly generation: number;
  readonly createdAt: Date;
}

/** The first of them in the order of devices, or those behind one. */
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
 * Of these, the tokens of logins that their devices know nothing of. The device is not there, or was never in these hands:
 * whoever takes it next would get the same generation, and the token would open it.
 */
export async function findLostLogins(db: ShardDb, logins: readonly DeviceLogin[]): Promise<Buffer[]> {
  const rows = await db.query<{ tokenHash: Buffer }>(
    `select l.token_hash as "tokenHash"
       from unnest($1::bytea[], $2::text[], $3::bigint[], $4::smallint[], $5::bigint[], $6::int[])
            as l (token_hash, app_id, user_id, shard, device_id, generation)
      where not exists (
              select from devices d
               where d.app_id = l.app_id and d.shard = l.shard and d.device_id = l.device_id
                 and (d.generation > l.generation or d.generation = l.generation and d.user_id = l.user_id))`,
    [
      logins.map(({ tokenHash }) => tokenHash),
      logins.map(({ appId }) => appId),
      logins.map(({ userId }) => userId),
      logins.map(({ deviceId }) => shardOfDevice(deviceId)),
      logins.map(({ deviceId }) => deviceId),
      logins.map(({ generation }) => generation),
    ],
  );
  return rows.map(({ tokenHash }) => tokenHash);
}

export async function revokeLostLogins(db: HomeDb, tokenHashes: readonly Buffer[]): Promise<void> {
  await db.query(
    `with gone as (delete from user_tokens where token_hash = any($1::bytea[]) returning app_id, token_hash)
     insert into revocations (app_id, token_hash) select app_id, token_hash from gone`,
    [tokenHashes],
  );
}

/**
 * Everything in a shard's inboxes whose time is not over: some of it would be acknowledged to a slice that is gone, or by
 * now another one. What is over stays until its slice has seen that it was there to the end.
 */
export async function clearInboxes(db: ShardDb, shard: number): Promise<void> {
  await db.query('delete from inbox where shard = $1 and expires_at > now()', [shard]);
}

/**
 * What waits for devices is laid into their inboxes again. A worker that runs all the same may just have laid it there:
 * it loses its slice, or nobody would look before the end. Answers how many slices.
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
