import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskRange } from '#src/domain/task.ts';
import { type HomeDb, isContentionError, type ShardDb, withLockLimit } from '../database/database.ts';
import { HOME_PARTITIONED_TABLES, partitionOf, SHARD_PARTITIONED_TABLES } from '../database/partitions.ts';

/** A day, counted from the task epoch, that still has at least one partition table. */
export interface StoredDay {
  readonly day: number;
  /** A part of the day is already removed. Its counts are final, and the removal can only be completed. */
  readonly dropStarted: boolean;
}

export const findHomeDays = (db: HomeDb): Promise<StoredDay[]> => findDays(db, HOME_PARTITIONED_TABLES);
export const findShardDays = (db: ShardDb): Promise<StoredDay[]> => findDays(db, SHARD_PARTITIONED_TABLES);

/** Finds days by the names of their tables, so that a table that was detached but not dropped is included. */
function findDays(db: HomeDb | ShardDb, tables: readonly string[]): Promise<StoredDay[]> {
  return db.query<StoredDay>(
    `select substring(c.relname from '_day_(\\d+)$')::int as day,
            bool_or(i.inhrelid is null or i.inhdetachpending) as "dropStarted"
       from pg_class c
       left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relname ~ $1 and pg_table_is_visible(c.oid)
      group by 1`,
    [`^(${tables.join('|')})_day_\\d+$`],
  );
}

/** Returns whether any task of a day is unfinished. */
export async function hasUnfinishedTask(db: HomeDb, [from, to]: TaskRange): Promise<boolean> {
  // Two subqueries, because each state has an index that contains only its tasks.
  const [row] = await db.query<{ open: boolean }>(
    `select exists (select from tasks where task_id between $1 and $2 and state = 'accepted')
         or exists (select from tasks where task_id between $1 and $2 and state = 'planned') as open`,
    [from, to],
  );
  return row?.open === true;
}

/** Returns whether a shard database has an open slice or expansion of a day. */
export async function hasOpenWork(db: ShardDb, [from, to]: TaskRange): Promise<boolean> {
  const [row] = await db.query<{ open: boolean }>(
    `select exists (select from slices where task_id between $1 and $2 and state <> 'closed')
         or exists (select from expansions where task_id between $1 and $2 and state <> 'done') as open`,
    [from, to],
  );
  return row?.open === true;
}

/** Returns whether all partitions of a day are attached, so that everything sent from this database can be counted. */
export async function hasAllPartitions(db: ShardDb, day: number): Promise<boolean> {
  const states = await Promise.all(
    SHARD_PARTITIONED_TABLES.map((table) => findPartitionState(db, partitionOf(table, day).name)),
  );
  return states.every((state) => state === 'attached');
}

/** Deletes up to `limit` finished expansions of the given day. Returns the number of deleted rows. */
export async function deleteExpansions(db: ShardDb, [from, to]: TaskRange, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from expansions
      where (task_id, bucket, after_id) in (
              select task_id, bucket, after_id
                from expansions
               where task_id between $1 and $2 and state = 'done'
               order by 1, 2, 3
               limit $3
                 for update skip locked)
      returning 1`,
    [from, to, limit],
  );
  return deleted.length;
}

/** Drops a day. Returns false if locks of other transactions prevent it; the caller must retry later. */
export const dropHomeDay = (db: HomeDb, day: number): Promise<boolean> => dropDay(db, HOME_PARTITIONED_TABLES, day);
export const dropShardDay = (db: ShardDb, day: number): Promise<boolean> => dropDay(db, SHARD_PARTITIONED_TABLES, day);

async function dropDay(db: HomeDb | ShardDb, tables: readonly string[], day: number): Promise<boolean> {
  for (const table of tables) if (!(await dropPartition(db, table, partitionOf(table, day).name))) return false;
  return true;
}

/** Maximum time to wait for a lock, because other statements queue up behind a waiting statement. */
const LOCK_MS_MAX = 1_000;
const TRIES_MAX = 10;
const RETRY_PAUSE_MS = 500;

/**
 * The next step for each state of a partition. The step depends only on the state, so another worker can continue after
 * a crash or at the same time. Detaching concurrently blocks no other statement, whereas a plain drop would lock the
 * parent against every reader.
 */
const nextStep = {
  attached: (table: string, name: string) => `alter table ${table} detach partition ${name} concurrently`,
  pending: (table: string, name: string) => `alter table ${table} detach partition ${name} finalize`,
  detached: (_table: string, name: string) => `drop table if exists ${name}`,
} as const;

async function dropPartition(db: HomeDb | ShardDb, table: string, name: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const state = await findPartitionState(db, name);
    if (state === 'gone') return true;
    try {
      await withLockLimit(db, LOCK_MS_MAX, (query) => query(nextStep[state](table, name)));
    } catch (error) {
      if (!isContentionError(error)) throw error;
      await sleep(RETRY_PAUSE_MS);
    }
  }
  return (await findPartitionState(db, name)) === 'gone';
}

async function findPartitionState(db: HomeDb | ShardDb, name: string): Promise<keyof typeof nextStep | 'gone'> {
  const [row] = await db.query<{ state: keyof typeof nextStep }>(
    `select case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'pending' else 'attached' end as state
       from pg_class c
       left join pg_inherits i on i.inhrelid = c.oid
      where c.oid = to_regclass($1)`,
    [name],
  );
  return row?.state ?? 'gone';
}
