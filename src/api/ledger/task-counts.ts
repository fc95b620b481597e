import type { TaskVisibility } from '#src/domain/caller.ts';
import type { HomeDb, Shards } from '#src/storage/database/database.ts';
import { findFinalCounts } from '#src/storage/ledger/final-counts.ts';
import { type ChannelCounts, countChannels, findVisibleTasks } from '#src/storage/ledger/statistics.ts';

/**
 * Returns the counts of the tasks that the caller may see, with one row per channel and database. The counts are summed
 * from the bitmaps at the time of the call. Final counts are read last, because they are written before the data of a
 * day is dropped. They therefore cover every task whose rows are dropped during the call.
 */
export async function readTaskCounts(
  { home, shards }: { readonly home: HomeDb; readonly shards: Pick<Shards, 'all'> },
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
