import type { TaskVisibility } from '#src/domain/caller.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { findFinalCounts } from '#src/storage/ledger/final-counts.ts';
import { type ChannelCounts, countChannels, findVisibleTasks } from '#src/storage/ledger/statistics.ts';

/**
 * The counts of those of the tasks that a caller may see, summed from the bits at this moment, a row for each channel and
 * database. Final counts are asked for last: before anything of a day is dropped they are there, so whatever the sums
 * missed is found then.
 */
export async function readTaskCounts(
  { home, shards }: Storage,
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
