import { bucketOfDevice } from '#src/domain/device.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import type { ShardDb, Shards } from '#src/storage/database/database.ts';
import type { ClaimedSlice } from '#src/storage/ledger/slices.ts';
import type { PlannedTask } from '#src/storage/ledger/tasks.ts';
import type { UserKey } from '#src/storage/users/device-buckets.ts';

/** Items that need the same databases. */
export interface DatabaseGroup<T> {
  readonly items: readonly T[];
  readonly databases: ReadonlySet<ShardDb>;
}

/**
 * Groups items that need the same databases. Items that share a statement fail together, and an unavailable database
 * must stop only the work that needs it.
 */
export function groupBySameDatabases<T>(
  items: readonly T[],
  databasesOf: (item: T) => Iterable<ShardDb>,
): DatabaseGroup<T>[] {
  const numbers = new Map<ShardDb, number>();
  const numberOf = (db: ShardDb) => {
    const number = numbers.get(db) ?? numbers.size;
    numbers.set(db, number);
    return number;
  };
  const groups = new Map<string, { items: T[]; databases: ReadonlySet<ShardDb> }>();
  for (const item of items) {
    const databases = new Set(databasesOf(item));
    const key = [...databases]
      .map(numberOf)
      .sort((a, b) => a - b)
      .join(',');
    const group = groups.get(key);
    if (group) group.items.push(item);
    else groups.set(key, { items: [item], databases });
  }
  return [...groups.values()];
}

/** Groups users by the databases in which they can have devices. `databases` has the same order as the users. */
export function groupUsersByDatabase(
  users: readonly UserKey[],
  databases: readonly (readonly ShardDb[])[],
): Map<ShardDb, UserKey[]> {
  const groups = new Map<ShardDb, UserKey[]>();
  users.forEach((user, i) => {
    for (const db of databases[i] ?? []) {
      const group = groups.get(db);
      if (group) group.push(user);
      else groups.set(db, [user]);
    }
  });
  return groups;
}

/** Yields the databases that are used to send a slice: that of its bucket and those of its devices. */
export function* databasesOfSlice(shards: Shards, { bucket, deviceIds }: ClaimedSlice): Iterable<ShardDb> {
  yield shards.dbFor(bucket);
  for (const deviceId of deviceIds) yield shards.dbFor(bucketOfDevice(deviceId));
}

/** Returns the databases that can contain expansions or slices of a task. */
export function databasesOfTask(shards: Shards, { taskId, byRange }: PlannedTask): readonly ShardDb[] {
  return byRange ? shards.all : [shards.dbFor(bucketOfTask(taskId))];
}

/** Returns the task IDs for each database that contains expansions or slices of the tasks. */
export function taskIdsByDatabase(shards: Shards, tasks: readonly PlannedTask[]): ReadonlyMap<ShardDb, bigint[]> {
  const groups = new Map<ShardDb, bigint[]>();
  for (const task of tasks)
    for (const db of databasesOfTask(shards, task)) groups.set(db, [...(groups.get(db) ?? []), task.taskId]);
  return groups;
}
