import { shardOfDevice } from '#src/domain/device.ts';
import { findApps } from '#src/storage/accounts/apps.ts';
import { byDatabase, type ShardDb, type Truth } from '#src/storage/database/database.ts';
import { findProgress } from '#src/storage/ledger/expansions.ts';
import {
  findBroken,
  findForeignDevices,
  findMiscounted,
  findMissingDevices,
  type LawScope,
  type LawTask,
  type Violation,
} from '#src/storage/ledger/invariants.ts';

/** Holds slices to the laws of the ledger, in whichever databases they are. Answers what is broken. */
export async function verifyScope(truth: Truth, scope: LawScope): Promise<Violation[]> {
  if (scope.tasks.length === 0) return [];
  const groups = byDatabase(truth.shards, scope.shards, (shard) => shard);
  const broken: Violation[] = [];
  for (const [db, shards] of groups) {
    const part = { ...scope, shards };
    broken.push(...(await findBroken(db, part)), ...(await findForeign(truth, db, part)));
  }
  return broken;
}

/** L8 for tasks of one app, in whichever databases they are counted. */
export async function verifyCounts({ shards }: Truth, appId: string, tasks: readonly LawTask[]): Promise<Violation[]> {
  const taskIds = tasks.map(({ taskId }) => taskId);
  if (taskIds.length === 0) return [];
  return (await Promise.all(shards.all.map((db) => findMiscounted(db, appId, taskIds)))).flat();
}

/** L7 over all databases: the expansions of a finished task are done. */
export async function verifyExpansions({ shards }: Truth, tasks: readonly LawTask[]): Promise<Violation[]> {
  const finished = tasks.filter((task) => task.finished);
  const taskIds = finished.map(({ taskId }) => taskId);
  if (taskIds.length === 0) return [];
  const done = new Map<bigint, number>();
  for (const db of shards.all)
    for (const row of await findProgress(db, taskIds))
      done.set(row.taskId, (done.get(row.taskId) ?? 0) + Number(row.done));
  return finished
    .filter(({ taskId, expansions }) => done.get(taskId) !== expansions)
    .map(({ taskId }) => ({
      law: 'L7',
      what: 'a finished task has no undone expansion',
      taskId,
      shard: null,
      slice: null,
    }));
}

const APPS_MAX = 1_000;
/** Devices that were not found, times apps: each is one look into an index. */
const LOOKS_MAX = 100_000;

/**
 * L10 for devices. Those that are not in the slice's own database and app may be in another database, may have been erased,
 * or may be another app's, which is looked for app by app: devices have no other index, and of these there are few.
 */
async function findForeign(truth: Truth, db: ShardDb, scope: LawScope): Promise<Violation[]> {
  const apps = (await findApps(truth.home, APPS_MAX)).map(({ appId }) => appId);
  const missing = await findMissingDevices(db, scope, Math.floor(LOOKS_MAX / (apps.length + 1)));
  const broken: Violation[] = [];
  for (const [home, some] of byDatabase(truth.shards, missing, ({ deviceId }) => shardOfDevice(deviceId))) {
    const foreign = await findForeignDevices(home, apps, some);
    const slices = some.filter(({ deviceId }) => foreign.has(deviceId));
    for (const { taskId, shard, slice } of slices)
      broken.push({ law: 'L10', what: "a slice's app is its devices' app", taskId, shard, slice });
  }
  return broken;
}
