import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskRange } from '#src/domain/task.ts';
import { type HomeDb, isContentionError, type ShardDb, withLockLimit } from '../database/database.ts';
import { HOME_PARTITIONED_TABLES, partitionOf, SHARD_PARTITIONED_TABLES } from '../database/partitions.ts';

/** A day of which something is there, counted from the first one that a task id can have. */
export interface StoredDay {
  readonly day: number;
  /** Something of it was taken out before: its counts are final, and it can only be completed. */
  readonly dropStarted: boolean;
}

export const findHomeDays = (db: HomeDb): Promise<StoredDay[]> => findDays(db, HOME_PARTITIONED_TABLES);
export const findShardDays = (db: ShardDb): Promise<StoredDay[]> => findDays(db, SHARD_PARTITIONED_TABLES);

/** By the names of the tables: one that was detached and not dropped is found as well. */
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

/** Whether any task of a day may still have something to do. */
export async function hasUnfinishedTask(db: HomeDb, [from, to]: TaskRange): Promise<boolean> {
  // Two questions, each of which has an index that holds only such tasks.
  const [row] = await db.query<{ open: boolean }>(
    `select exists (select from tasks where task_id between $1 and $2 and state = 'accepted')
         or exists (select from tasks where task_id between $1 and $2 and state = 'planned') as open`,
    [from, to],
  );
  return row?.open === true;
}

/** The same as a shard database knows it. */
export async function hasOpenWork(db: ShardDb, [from, to]: TaskRange): Promise<boolean> {
  const [row] = await db.query<{ open: boolean }>(
    `select exists (select from slices where task_id between $1 and $2 and state <> 'closed')
         or exists (select from expansions where task_id between $1 and $2 and state <> 'done') as open`,
    [from, to],
  );
  return row?.open === true;
}

/** Whether everything of a day that was sent from here is still here to be counted. */
export async function hasAllPartitions(db: ShardDb, day: number): Promise<boolean> {
  const states = await Promise.all(
    SHARD_PARTITIONED_TABLES.map((table) => findPartitionState(db, partitionOf(table, day).name)),
  );
  return states.every((state) => state === 'attached');
}

/** Answers how many it deleted. */
export async function deleteExpansions(db: ShardDb, [from, to]: TaskRange, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from expansions
      where (task_id, shard) in (select task_id, shard
                                   from expansions
                                  where task_id between $1 and $2 and state = 'done'
                                  order by 1, 2
                                  limit $3
                                    for update skip locked)
      returning 1`,
    [from, to, limit],
  );
  return deleted.length;
}

/** False: others are in the way, and it is to be tried again later. */
export const dropHomeDay = (db: HomeDb, day: number): Promise<boolean> => dropDay(db, HOME_PARTITIONED_TABLES, day);
export const dropShardDay = (db: ShardDb, day: number): Promise<boolean> => dropDay(db, SHARD_PARTITIONED_TABLES, day);

async function dropDay(db: HomeDb | ShardDb, tables: readonly string[], day: number): Promise<boolean> {
  for (const table of tables) if (!(await dropPartition(db, table, partitionOf(table, day).name))) return false;
  return true;
}

/** Whoever holds a lock for longer than this is not waited for, since others would queue up behind us. */
const LOCK_MS_MAX = 1_000;
const TRIES_MAX = 10;
const RETRY_PAUSE_MS = 500;

/**
 * What is done next follows from what is there, so whoever comes after a crash, or beside another worker, goes on where
 * things are. Detached concurrently, which locks out nobody: a plain drop would lock the parent against every reader.
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
