import type { TaskVisibility } from '#src/domain/caller.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import type { HomeDb, Shards } from '#src/storage/database/database.ts';
import { findFinalCounts } from '#src/storage/ledger/final-counts.ts';
import {
  type ChannelCounts,
  countChannels,
  countChannelsInDatabase,
  findVisibleTasks,
} from '#src/storage/ledger/statistics.ts';

interface Databases {
  readonly home: HomeDb;
  readonly shards: Pick<Shards, 'all'>;
}

/**
 * Returns the counts of the tasks that the caller may see, with one row per channel and database. The counts are summed
 * from the bitmaps at the time of the call. Final counts are read last, because they are written before the data of a
 * day is dropped. They therefore cover every task whose rows are dropped during the call.
 */
export async function readTaskCounts(
  { home, shards }: Databases,
  appId: string,
  sight: TaskVisibility,
  taskIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly ChannelCounts[]>> {
  const visibleTaskIds = await findVisibleTasks(home, appId, sight, taskIds);
  const channelCounts = await countChannels(
    shards,
    visibleTaskIds.map((taskId) => ({ appId, taskId })),
  );
  const byTask = Map.groupBy(channelCounts, ({ taskId }) => taskId);
  const counts = new Map<bigint, readonly ChannelCounts[]>(
    visibleTaskIds.map((taskId) => [taskId, byTask.get(taskId) ?? []]),
  );
  for (const final of await findFinalCounts(home, appId, sight, taskIds)) counts.set(final.taskId, final.counts);
  return counts;
}

/** The counts of a task in the databases that are available. */
export interface AvailableCounts {
  readonly counts: readonly ChannelCounts[];
  /** Whether a database was unavailable, so that the counts are too low. */
  readonly incomplete: boolean;
}

/**
 * Returns the counts of one task, or undefined if the caller may not see it. Unlike `readTaskCounts`, it does not fail
 * if a shard database is unavailable.
 */
export async function readAvailableCounts(
  { home, shards }: Databases,
  appId: string,
  sight: TaskVisibility,
  taskId: bigint,
): Promise<AvailableCounts | undefined> {
  const [visibleTaskId] = await findVisibleTasks(home, appId, sight, [taskId]);
  const counted =
    visibleTaskId === undefined
      ? []
      : await settleAvailable(shards.all.map((db) => countChannelsInDatabase(db, [{ appId, taskId }])));
  const [final] = await findFinalCounts(home, appId, sight, [taskId]);
  if (final) return { counts: final.counts, incomplete: false };
  if (visibleTaskId === undefined) return undefined;
  return { counts: counted.flat(), incomplete: counted.length < shards.all.length };
}
