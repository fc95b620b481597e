import { shardOfDevice, shardOfPushToken } from '#src/domain/device.ts';
import { ALL_SHARDS, homeShardOf, shardsOf, type Task } from '#src/domain/task.ts';
import type { ShardDb, Shards } from '#src/storage/database/database.ts';
import type { ClaimedSlice } from '#src/storage/ledger/slices.ts';
import type { PlannedTask } from '#src/storage/ledger/tasks.ts';

/**
 * Puts together what needs the same databases. Work that shares a statement shares its fate, and a database that is away
 * must stop only what cannot do without it.
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

/** The shards that expanding a list looks into. A person's devices may be anywhere. */
export function* shardsOfTask({ taskId, audience }: Task): Iterable<number> {
  yield homeShardOf(taskId);
  if (audience.kind === 'push_token')
    for (const pushToken of audience.pushTokens) yield shardOfPushToken(pushToken) ?? homeShardOf(taskId);
  else yield* ALL_SHARDS;
}

/** The shards that sending a slice looks into: its own, and those of its devices. */
export function* shardsOfSlice({ shard, deviceIds }: ClaimedSlice): Iterable<number> {
  yield shard;
  for (const deviceId of deviceIds) yield shardOfDevice(deviceId);
}

/** Where the expansions and slices of tasks are. */
export function taskIdsByDatabase(shards: Shards, tasks: readonly PlannedTask[]): ReadonlyMap<ShardDb, bigint[]> {
  const groups = new Map<ShardDb, bigint[]>();
  for (const task of tasks)
    for (const db of new Set(shardsOf(task).map((shard) => shards.dbFor(shard))))
      groups.set(db, [...(groups.get(db) ?? []), task.taskId]);
  return groups;
}
