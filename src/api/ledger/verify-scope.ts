import { bucketOfDevice } from '#src/domain/device.ts';
import { isFinished } from '#src/domain/finish.ts';
import { findApps } from '#src/storage/accounts/apps.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { findShardProgress } from '#src/storage/ledger/expansions.ts';
import {
  type CheckedTask,
  type CheckScope,
  findExpansionKeys,
  findForeignDevices,
  findMiscountedTasks,
  findMisplannedTasks,
  findMissingDevices,
  findViolations,
  type Violation,
} from '#src/storage/ledger/invariants.ts';

/** Checks slices against the invariants of the ledger, in every database that has them. Returns the violations. */
export async function verifyScope(storage: Storage, scope: CheckScope): Promise<Violation[]> {
  if (scope.tasks.length === 0) return [];
  const violations: Violation[] = [];
  for (const db of storage.shards.all)
    violations.push(...(await findViolations(db, scope)), ...(await findForeignDeviceSlices(storage, db, scope)));
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

/** Checks L7 and L11 in all databases: the expansions of a finished task are done, and ranges cover every device. */
export async function verifyExpansions({ shards }: Storage, tasks: readonly CheckedTask[]): Promise<Violation[]> {
  const finished = tasks.filter((task) => task.finished);
  const taskIds = finished.map(({ taskId }) => taskId);
  if (taskIds.length === 0) return [];
  const progress = (await Promise.all(shards.all.map((db) => findShardProgress(db, taskIds)))).flat();
  const progressByTask = Map.groupBy(progress, ({ taskId }) => taskId);
  const unfinished = taskIds.filter((taskId) => !isFinished(progressByTask.get(taskId) ?? []));
  const rangedIds = finished.filter(({ byRange }) => byRange).map(({ taskId }) => taskId);
  const ranges = (await Promise.all(shards.all.map((db) => findExpansionKeys(db, rangedIds)))).flat();
  return [
    ...unfinished.map((taskId) => ({
      law: 'L7',
      what: 'a finished task has no unfinished expansion',
      taskId,
      bucket: null,
      sliceNumber: null,
    })),
    ...findMisplannedTasks(ranges, rangedIds),
  ];
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
  for (const [deviceDb, devices] of byDatabase(storage.shards, missing, ({ deviceId }) => bucketOfDevice(deviceId))) {
    const foreignIds = await findForeignDevices(deviceDb, apps, devices);
    const slices = devices.filter(({ deviceId }) => foreignIds.has(deviceId));
    for (const { taskId, bucket, sliceNumber } of slices)
      violations.push({ law: 'L10', what: "a slice's app is its devices' app", taskId, bucket, sliceNumber });
  }
  return violations;
}
