import { firstTaskIdAt, TASK_EPOCH_SECONDS, type TaskRange } from '#src/domain/task.ts';
import { type HomeDb, inTransaction, type ShardDb } from './database.ts';

/** Number of days for which partitions are created in advance, so that no worker has to run at midnight. */
const DAYS_AHEAD = 14;
/** Number of past days that also have partitions, because a database's clock may be set back a little. */
const DAYS_BEHIND = 1;
const DAY_MS = 86_400_000;

/** The partitioned tables, in the order in which their partitions of a day are dropped. */
export const HOME_PARTITIONED_TABLES = ['tasks'] as const;
export const SHARD_PARTITIONED_TABLES = ['slice_targets', 'slices'] as const;

export function ensureHomePartitions(db: HomeDb, daysBehind = DAYS_BEHIND): Promise<void> {
  return ensurePartitions(db, HOME_PARTITIONED_TABLES, daysBehind);
}

export function ensureShardPartitions(db: ShardDb, daysBehind = DAYS_BEHIND): Promise<void> {
  return ensurePartitions(db, SHARD_PARTITIONED_TABLES, daysBehind);
}

async function ensurePartitions(db: HomeDb | ShardDb, tables: readonly string[], daysBehind: number): Promise<void> {
  const [clock] = await db.query<{ now: Date }>('select now()');
  const today = dayNumberOf((clock as { now: Date }).now);
  const expected = tables.flatMap((table) =>
    Array.from({ length: daysBehind + 1 + DAYS_AHEAD }, (_, i) => partitionOf(table, today - daysBehind + i)),
  );
  const missing = await db.query<{ name: string }>(
    'select name from unnest($1::text[]) as wanted (name) where to_regclass(name) is null',
    [expected.map(({ name }) => name)],
  );
  const missingNames = new Set(missing.map(({ name }) => name));
  for (const partition of expected.filter(({ name }) => missingNames.has(name))) await attachPartition(db, partition);
}

interface Partition {
  readonly table: string;
  readonly name: string;
  readonly from: bigint;
  readonly to: bigint;
}

export function partitionOf(table: string, day: number): Partition {
  return {
    table,
    name: `${table}_day_${day}`,
    from: firstTaskIdAt(startOfDay(day)),
    to: firstTaskIdAt(startOfDay(day + 1)),
  };
}

/** Returns the number of a day, counted from the task epoch. */
export const dayNumberOf = (instant: Date): number =>
  Math.floor((instant.getTime() - TASK_EPOCH_SECONDS * 1_000) / DAY_MS);

export const startOfDay = (day: number): Date => new Date(TASK_EPOCH_SECONDS * 1_000 + day * DAY_MS);

/** Returns the range of IDs that tasks of a day can have. */
export const taskRangeOfDay = (day: number): TaskRange => [
  firstTaskIdAt(startOfDay(day)),
  firstTaskIdAt(startOfDay(day + 1)) - 1n,
];

/**
 * Creates a partition separately and then attaches it, because `create table … partition of` locks the parent against
 * every reader.
 */
async function attachPartition(db: HomeDb | ShardDb, { table, name, from, to }: Partition): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query(`set local lock_timeout = '1s'`);
    await tx.query('select pg_advisory_xact_lock($1)', [PARTITION_LOCK_ID]);
    // Not `to_regclass`: after the wait it would repeat its earlier result, even if another worker has created the
    // table since.
    const existing = await tx.query('select 1 from pg_class where relname = $1 and pg_table_is_visible(oid)', [name]);
    if (existing.length > 0) return;
    await tx.query(
      `create table ${name} (like ${table} including defaults including constraints including indexes)
         with (fillfactor = 70)`,
    );
    await giveToOwnerOf(tx, table, name);
    await tx.query(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`);
  });
}

/** Gives a partition the owner of its table, because a worker can drop it only as its owner. */
async function giveToOwnerOf(db: HomeDb | ShardDb, table: string, partition: string): Promise<void> {
  const [row] = await db.query<{ owner: string }>(
    `select quote_ident(pg_get_userbyid(relowner)) as owner
       from pg_class
      where oid = $1::regclass and pg_get_userbyid(relowner) <> current_user`,
    [table],
  );
  if (row) await db.query(`alter table ${partition} owner to ${row.owner}`);
}

/** An arbitrary number that no other lock uses. Two workers must not create the same partition. */
const PARTITION_LOCK_ID = 7_232_026;
