import { bucketOfTask, type Task } from '#src/domain/task.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import type { BadgeChange } from '#src/storage/devices/badges.ts';
import type { DeviceGroup } from '#src/storage/devices/devices.ts';
import { findAudienceGroups } from '#src/storage/ledger/audience-devices.ts';
import { expansionOf } from '#src/storage/ledger/expansions.ts';
import { expandLists } from '#src/storage/ledger/slices.ts';
import type { DecidedTask } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { workerMetrics } from '../metrics.ts';
import { recordExpanded } from '../record-metrics.ts';
import type { Work } from '../send/work.ts';
import { changeBadgesInAllShards } from './badges.ts';
import { toSingleDeviceGroup } from './device-group.ts';
import { audienceOfDevices } from './expand-ranges.ts';
import { findAudiences, type ListAudience } from './find-audiences.ts';
import { Slicer, UNCLAIMED } from './slicer.ts';

/** A claimed task that has one expansion, and the databases with its devices. */
export interface ListClaim {
  readonly claim: DecidedTask;
  readonly audience: ListAudience;
}

/**
 * Turns the audiences of list tasks into slices, with one read and one insert per database for all of them. Slices of
 * the prompt lane are created with a lease, so that this worker sends them immediately. Bulk slices wait until a worker
 * claims them. Another worker can repeat every step: only the worker that inserts the expansion row adds slices.
 */
export async function expandTasks(context: WorkerContext, claims: readonly ListClaim[]): Promise<Work[]> {
  const tasks = claims.map(({ claim }) => claim.task);
  const beganMs = performance.now();
  const devicesOf = await findAudiences(
    context.storage,
    claims.map(({ audience }) => audience),
  );
  const leasedState = { state: 'leased', dueInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000 } as const;
  const badgeChanges = new Map<bigint, readonly BadgeChange[]>();
  const slices = await Promise.all(
    claims.map(async ({ claim: { task, cancelled } }) => {
      if (cancelled) return [];
      const rules = await context.accounts.routeRulesOf(task);
      const initialState = task.lane === 'bulk' ? UNCLAIMED : leasedState;
      const slicer = new Slicer({ task, rules, bucket: bucketOfTask(task.taskId), initialState });
      const groups =
        task.lane === 'bulk' ? await findAllDevices(context, task) : devicesOf(task).map(toSingleDeviceGroup);
      const slicesOfTask = [...slicer.add(groups), ...slicer.flush()];
      badgeChanges.set(task.taskId, slicer.badgeChanges);
      return slicesOfTask;
    }),
  );
  const expansions = tasks.map((task) => {
    const bucket = bucketOfTask(task.taskId);
    return expansionOf(task, { firstBucket: bucket, lastBucket: bucket });
  });
  const acquiredAtMs = performance.now();
  const insertedSlices = await Promise.all(
    [...byDatabase(context.storage.shards, expansions, ({ bucket }) => bucket)].map(([db, group]) => {
      const groupTaskIds = new Set(group.map(({ taskId }) => taskId));
      return expandLists(
        db,
        group,
        slices.flat().filter(({ taskId }) => groupTaskIds.has(taskId)),
      );
    }),
  );
  const expandedTasks = new Set(insertedSlices.flat().map(({ taskId }) => taskId));
  await changeBadgesInAllShards(
    context,
    [...expandedTasks].flatMap((taskId) => badgeChanges.get(taskId) ?? []),
  );
  recordExpanded(insertedSlices.flat());
  workerMetrics.expandSeconds.observeSince(beganMs, tasks[0]?.lane ?? 'prompt');
  const taskById = new Map(tasks.map((task) => [task.taskId, task]));
  const devicesById = new Map(
    tasks.map((task) => [task.taskId, new Map(devicesOf(task).map((device) => [device.deviceId, device]))]),
  );
  return insertedSlices.flat().flatMap((slice): Work[] => {
    const task = taskById.get(slice.taskId);
    const devices = devicesById.get(slice.taskId);
    if (!task || !devices || slice.channel === 'none' || task.lane === 'bulk') return [];
    return [{ slice, task, acquiredAtMs, devices }];
  });
}

async function findAllDevices({ storage }: WorkerContext, task: Task): Promise<DeviceGroup[]> {
  const reads = storage.shards.all.map((db) => findAudienceGroups(db, task.appId, audienceOfDevices(task)));
  return (await Promise.all(reads)).flat();
}
