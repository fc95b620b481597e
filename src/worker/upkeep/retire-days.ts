import type { TaskRange } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { deleteStoredBytes } from '#src/storage/accounts/ceilings.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { dayNumberOf, startOfDay, taskRangeOfDay } from '#src/storage/database/partitions.ts';
import { findTasksToCount, insertFinalCounts } from '#src/storage/ledger/final-counts.ts';
import { deleteRecallResults, deleteRecalls } from '#src/storage/ledger/recalls.ts';
import { countChannels } from '#src/storage/ledger/statistics.ts';
import {
  deleteExpansions,
  dropHomeDay,
  dropShardDay,
  findHomeDays,
  findShardDays,
  hasAllPartitions,
  hasOpenWork,
  hasUnfinishedTask,
} from '#src/storage/upkeep/drop-days.ts';
import { storeDailyCounts } from './daily-counts.ts';

/**
 * Maximum number of days per run, the oldest first. If the retention setting was reduced by a lot, the remaining days
 * follow in the next hours.
 */
const DAYS_MAX = 31;
/** Tasks per count query, the same maximum as in the API. */
const TASKS_PER_COUNT = 500;
const ROWS_PER_DELETE = 10_000;
/**
 * Maximum number of delete statements per day, table and database, which is ten million expansions. A day with more
 * expansions is completed in the next run.
 */
const DELETES_MAX = 1_000;

/**
 * Drops the days whose retention is over. A day that cannot be dropped yet is logged and tried again in the next run.
 */
export async function retireDays(
  storage: Storage,
  options: { now: Date; retentionDays: number; log: Log },
): Promise<void> {
  const { now, retentionDays, log } = options;
  for (const day of (await findOldDays(storage, dayNumberOf(now) - retentionDays)).slice(0, DAYS_MAX)) {
    const result = await retireDay(storage, day);
    const date = startOfDay(day).toISOString().slice(0, 10);
    if (result === 'dropped') log.info('day-dropped', { day: date });
    else log.warn('day-not-dropped', { day: date, reason: result });
  }
}

/**
 * Returns the days before `before` in any database, and days whose removal began before the retention setting was
 * increased.
 */
async function findOldDays({ home, shards }: Storage, before: number): Promise<number[]> {
  const existingDays = (await Promise.all([findHomeDays(home), ...shards.all.map((db) => findShardDays(db))])).flat();
  const old = existingDays.filter(({ day, dropStarted }) => dropStarted || day < before).map(({ day }) => day);
  return [...new Set(old)].sort((a, b) => a - b);
}

/**
 * Removes one day from all databases, in steps that can each be repeated. The final counts are committed first, then
 * the rows they were counted from are dropped. The tasks are dropped last, because the day is found again as long as
 * they exist. Two workers can do this at the same time.
 */
export async function retireDay(
  storage: Storage,
  day: number,
): Promise<'dropped' | 'unfinished' | 'cannot be counted' | 'busy'> {
  const { home, shards } = storage;
  const range = taskRangeOfDay(day);
  const openChecks = [hasUnfinishedTask(home, range), ...shards.all.map((db) => hasOpenWork(db, range))];
  if ((await Promise.all(openChecks)).includes(true)) return 'unfinished';
  // Carillon never drops a partition before its tasks are counted, but a partition can be missing after a restore or a
  // manual change.
  const completeDays = await Promise.all(shards.all.map((db) => hasAllPartitions(db, day)));
  if (completeDays.includes(false) && (await findTasksToCount(home, range, null, 1)).length > 0)
    return 'cannot be counted';
  await storeFinalCounts(storage, range);
  await storeDailyCounts(storage, day);
  for (const db of shards.all) {
    if (!(await dropShardDay(db, day))) return 'busy';
    for (const deleteRows of [deleteExpansions, deleteRecallResults])
      for (let rounds = 0; (await deleteRows(db, range, ROWS_PER_DELETE)) > 0; rounds++)
        if (rounds >= DELETES_MAX) return 'busy';
  }
  // Before the tasks, because the day is found again as long as they exist.
  await deleteStoredBytes(home, day);
  await deleteRecalls(home, range);
  return (await dropHomeDay(home, day)) ? 'dropped' : 'busy';
}

/** Stores the final counts of every task of the day, with the same query that the API uses. */
export async function storeFinalCounts({ home, shards }: Storage, range: TaskRange): Promise<void> {
  let after: bigint | null = null;
  for (;;) {
    const tasks = await findTasksToCount(home, range, after, TASKS_PER_COUNT);
    if (tasks.length === 0) return;
    await insertFinalCounts(home, tasks, await countChannels(shards, tasks));
    after = tasks.at(-1)?.taskId ?? null;
  }
}
