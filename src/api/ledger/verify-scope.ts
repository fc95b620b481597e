import { shardOfDevice } from '#src/domain/device.ts';
import { findApps } from '#src/storage/accounts/apps.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { findShardProgress } from '#src/storage/ledger/expansions.ts';
import {
  type CheckedTask,
  type CheckScope,
  findForeignDevices,
  findMiscountedTasks,
  findMissingDevices,
  findViolations,
  type Violation,
} from '#src/storage/ledger/invariants.ts';

/** Checks slices against the invariants of the ledger, in every database that has them. Returns the violations. */
export async function verifyScope(storage: Storage, scope: CheckScope): Promise<Violation[]> {
  if (scope.tasks.length === 0) return [];
  const groups = byDatabase(storage.shards, scope.shards, (shard) => shard);
  const violations: Violation[] = [];
  for (const [db, shards] of groups) {
    const databaseScope = { ...scope, shards };
    violations.push(
      ...(await findViolations(db, databaseScope)),
      ...(await findForeignDeviceSlices(storage, db, databaseScope)),
    );
  }
  return violations;
}

/** Checks L8 for tasks of one app, in all databases. */
export async function verifyCounts(
  { shards }: Storage,
  appId: string,
  tasks: readonly CheckedTask[],
): Promise<Violation[]> {
  const taskIds = tasks.map(({ taskId }) => taskId);
  if (taskIds.length === 0) return [];
  return (await Promise.all(shards.all.map((db) => findMiscountedTasks(db, appId, taskIds)))).flat();
}

/** Checks L7 in all databases: every expansion of a finished task is done. */
export async function verifyExpansions({ shards }: Storage, tasks: readonly CheckedTask[]): Promise<Violation[]> {
  const finished = tasks.filter((task) => task.finished);
  const taskIds = finished.map(({ taskId }) => taskId);
  if (taskIds.length === 0) return [];
  const doneByTask = new Map<bigint, number>();
  for (const db of shards.all)
    for (const row of await findShardProgress(db, taskIds))
      doneByTask.set(row.taskId, (doneByTask.get(row.taskId) ?? 0) + Number(row.expansionsDone));
  return finished
    .filter(({ taskId, expansions }) => doneByTask.get(taskId) !== expansions)
    .map(({ taskId }) => ({
      law: 'L7',
      what: 'a finished task has no unfinished expansion',
      taskId,
      shard: null,
      sliceNumber: null,
    }));
}

const APPS_MAX = 1_000;
/** Maximum number of index lookups. Each missing device needs one lookup per app. */
const INDEX_LOOKUPS_MAX = 100_000;

/**
 * Checks L10 for devices. A device that is missing in the slice's database and app may be in another database, erased,
 * or owned by another app. The index of devices starts with the app, so each app is queried. This is cheap, because few
 * devices are missing.
 */
async function findForeignDeviceSlices(storage: Storage, db: ShardDb, scope: CheckScope): Promise<Violation[]> {
  const apps = (await findApps(storage.home, APPS_MAX)).map(({ appId }) => appId);
  const missing = await findMissingDevices(db, scope, Math.floor(INDEX_LOOKUPS_MAX / (apps.length + 1)));
  const violations: Violation[] = [];
  for (const [deviceDb, devices] of byDatabase(storage.shards, missing, ({ deviceId }) => shardOfDevice(deviceId))) {
    const foreignIds = await findForeignDevices(deviceDb, apps, devices);
    const slices = devices.filter(({ deviceId }) => foreignIds.has(deviceId));
    for (const { taskId, shard, sliceNumber } of slices)
      violations.push({ law: 'L10', what: "a slice's app is its devices' app", taskId, shard, sliceNumber });
  }
  return violations;
}
