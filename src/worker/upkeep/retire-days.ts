import type { TaskRange } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { dayNumberOf, startOfDay, taskRangeOfDay } from '#src/storage/database/partitions.ts';
import { findTasksToCount, insertFinalCounts } from '#src/storage/ledger/final-counts.ts';
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

/** So many days at a time, the oldest first: when the setting was made much shorter, the rest follows in the next hours. */
const DAYS_MAX = 31;
/** As many as one question of the API may name. */
const TASKS_PER_COUNT = 500;
const EXPANSIONS_PER_DELETE = 10_000;
/** Ten million expansions; a day that has more is completed the next time. */
const DELETES_MAX = 1_000;

/** Drops the days that have been kept long enough. What cannot go yet is left, told of, and looked at again. */
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

/** In any database: those from before a day, and those that were begun before the setting was made longer. */
async function findOldDays({ home, shards }: Storage, before: number): Promise<number[]> {
  const present = (await Promise.all([findHomeDays(home), ...shards.all.map((db) => findShardDays(db))])).flat();
  const old = present.filter(({ day, dropStarted }) => dropStarted || day < before).map(({ day }) => day);
  return [...new Set(old)].sort((a, b) => a - b);
}

/**
 * Takes one day out of all databases, in steps that may each be repeated: counts first, committed; then what they were
 * counted from; the tasks last, since while those are there the day is found again. Two workers may do it at once.
 */
export async function retireDay(
  storage: Storage,
  day: number,
): Promise<'dropped' | 'unfinished' | 'cannot be counted' | 'busy'> {
  const { home, shards } = storage;
  const range = taskRangeOfDay(day);
  const openChecks = [hasUnfinishedTask(home, range), ...shards.all.map((db) => hasOpenWork(db, range))];
  if ((await Promise.all(openChecks)).includes(true)) return 'unfinished';
  // By our own steps nothing is missing before all is counted. A restored backup, or somebody's hands, may come to that.
  const completeDays = await Promise.all(shards.all.map((db) => hasAllPartitions(db, day)));
  if (completeDays.includes(false) && (await findTasksToCount(home, range, null, 1)).length > 0)
    return 'cannot be counted';
  await storeFinalCounts(storage, range);
  for (const db of shards.all) {
    if (!(await dropShardDay(db, day))) return 'busy';
    for (let rounds = 0; (await deleteExpansions(db, range, EXPANSIONS_PER_DELETE)) > 0; rounds++)
      if (rounds >= DELETES_MAX) return 'busy';
  }
  return (await dropHomeDay(home, day)) ? 'dropped' : 'busy';
}

/** Writes down what every task of the day came to, by the same question that the API asks. */
export async function storeFinalCounts({ home, shards }: Storage, range: TaskRange): Promise<void> {
  let after: bigint | null = null;
  for (;;) {
    const tasks = await findTasksToCount(home, range, after, TASKS_PER_COUNT);
    if (tasks.length === 0) return;
    await insertFinalCounts(home, tasks, await countChannels(shards, tasks));
    after = tasks.at(-1)?.taskId ?? null;
  }
}
