import { shardOfDevice, shardOfPushToken } from '#src/domain/device.ts';
import { ALL_SHARDS, homeShardOf, shardsOf, type Task } from '#src/domain/task.ts';
import type { ShardDb, Shards } from '#src/storage/database/database.ts';
import type { ClaimedSlice } from '#src/storage/ledger/slices.ts';
import type { PlannedTask } from '#src/storage/ledger/tasks.ts';

/**
 * Groups items that need the same databases. Items that share a statement fail together, and an unavailable database
 * must stop only the work that needs it.
 */
export function groupByDatabase<T>(
  shards: Shards,
  items: readonly T[],
  shardsOfItem: (item: T) => Iterable<number>,
): T[][] {
  const databaseNumbers = new Map(shards.all.map((db, number) => [db, number]));
  const groups = Map.groupBy(items, (item) => {
    const databases = new Set<number | undefined>();
    for (const shard of shardsOfItem(item)) databases.add(databaseNumbers.get(shards.dbFor(shard)));
    return [...databases].sort().join(',');
  });
  return [...groups.values()];
}

/** Yields the shards that are read to expand a list. A user's devices can be in any shard. */
export function* shardsOfTask({ taskId, audience }: Task): Iterable<number> {
  yield homeShardOf(taskId);
  if (audience.kind === 'push_token')
    for (const pushToken of audience.pushTokens) yield shardOfPushToken(pushToken) ?? homeShardOf(taskId);
  else yield* ALL_SHARDS;
}

/** Yields the shards that are read to send a slice: its own shard and the shards of its devices. */
export function* shardsOfSlice({ shard, deviceIds }: ClaimedSlice): Iterable<number> {
  yield shard;
  for (const deviceId of deviceIds) yield shardOfDevice(deviceId);
}

/** Returns the task IDs for each database that contains expansions or slices of the tasks. */
export function taskIdsByDatabase(shards: Shards, tasks: readonly PlannedTask[]): ReadonlyMap<ShardDb, bigint[]> {
  const groups = new Map<ShardDb, bigint[]>();
  for (const task of tasks)
    for (const db of new Set(shardsOf(task).map((shard) => shards.dbFor(shard))))
      groups.set(db, [...(groups.get(db) ?? []), task.taskId]);
  return groups;
}
