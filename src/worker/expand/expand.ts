import { ALL_SHARDS, homeShardOf, type Task } from '#src/domain/task.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import type { Device, DeviceGroup } from '#src/storage/devices/devices.ts';
import {
  type ClaimedExpansion,
  countAudienceDevices,
  type DeviceAudience,
  endExpansion,
  findAudienceGroups,
  insertExpansions,
  streamExpansion,
} from '#src/storage/ledger/expansions.ts';
import { expandLists, insertUnclaimedSlices, type NewSlice } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, type DecidedTask, decideExpansions } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { workerMetrics } from '../metrics.ts';
import { recordExpanded } from '../record-metrics.ts';
import { propagateCancels } from '../send/cancel.ts';
import type { Work } from '../send/work.ts';
import { findAudiences } from './find-audiences.ts';
import { Slicer } from './slicer.ts';

/**
 * Decides how tasks to all devices or to tags are expanded. A small audience is expanded as a list, which is one
 * expansion instead of 64. Tasks that this worker no longer holds are left out.
 */
export async function chooseExpansionCounts(
  context: WorkerContext,
  claims: readonly ClaimedTask[],
): Promise<DecidedTask[]> {
  const decidedTasks: DecidedTask[] = [];
  for (const claim of claims) {
    const { task, cancelled } = claim;
    if (claim.expansions !== null) decidedTasks.push({ ...claim, expansions: claim.expansions });
    else {
      const expansions = cancelled || (await fitsSingleExpansion(context, task)) ? 1 : 64;
      if (await decideExpansions(context.storage.home, claim, expansions)) decidedTasks.push({ ...claim, expansions });
    }
  }
  return decidedTasks;
}

async function fitsSingleExpansion({ storage, settings }: WorkerContext, task: Task): Promise<boolean> {
  const devicesMax = settings.CARILLON_SINGLE_EXPANSION_DEVICES_MAX;
  let count = 0;
  for (const db of storage.shards.all)
    count += await countAudienceDevices(db, task.appId, audienceOfDevices(task).tags, devicesMax + 1);
  return count <= devicesMax;
}

const audienceOfDevices = ({ dueAt, audience }: Task): DeviceAudience => ({
  dueAt,
  tags: audience.kind === 'tag' ? audience.names : null,
});

/**
 * Turns the audiences of list tasks into slices, with one read and one insert per database for all of them. Slices of
 * the prompt lane are created with a lease, so that this worker sends them immediately. Bulk slices wait until a worker
 * claims them. Another worker can repeat every step: only the worker that inserts the expansion row adds slices.
 */
export async function expandTasks(context: WorkerContext, claims: readonly DecidedTask[]): Promise<Work[]> {
  const tasks = claims.map(({ task }) => task);
  const beganMs = performance.now();
  const devicesOf = await findAudiences(context.storage, tasks);
  const leasedState = { state: 'leased', dueInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000 } as const;
  const slices = await Promise.all(
    claims.map(async ({ task, cancelled }) => {
      if (cancelled) return [];
      const rules = await context.accounts.routeRulesOf(task);
      const initialState = task.lane === 'bulk' ? UNCLAIMED : leasedState;
      const slicer = new Slicer({ task, rules, shard: homeShardOf(task.taskId), initialState });
      const groups =
        task.lane === 'bulk' ? await findAllDevices(context, task) : devicesOf(task).map(toSingleDeviceGroup);
      return [...slicer.add(groups), ...slicer.flush()];
    }),
  );
  const expansions = tasks.map(({ taskId, appId, lane }) => ({ taskId, appId, lane, shard: homeShardOf(taskId) }));
  const acquiredAtMs = performance.now();
  const insertedSlices = await Promise.all(
    [...byDatabase(context.storage.shards, expansions, ({ shard }) => shard)].map(([db, group]) => {
      const groupTaskIds = new Set(group.map(({ taskId }) => taskId));
      return expandLists(
        db,
        group,
        slices.flat().filter(({ taskId }) => groupTaskIds.has(taskId)),
      );
    }),
  );
  recordExpanded(insertedSlices.flat());
  workerMetrics.expandSeconds.observeSince(beganMs, tasks[0]?.lane ?? 'prompt');
  const taskById = new Map(tasks.map((task) => [task.taskId, task]));
  return insertedSlices.flat().flatMap((slice): Work[] => {
    const task = taskById.get(slice.taskId);
    if (!task || slice.channel === 'none' || task.lane === 'bulk') return [];
    const devices = new Map(devicesOf(task).map((device) => [device.deviceId, device]));
    return [{ slice, task, acquiredAtMs, devices }];
  });
}

/**
 * Marks in the home database that all expansions of these tasks exist, and propagates their cancellations to the
 * shards.
 */
export async function finishPlanning(context: WorkerContext, claims: readonly DecidedTask[]): Promise<void> {
  const marks = await Promise.all(claims.map((claim) => context.plannedMarks.add(claim)));
  await propagateCancels(
    context,
    claims.map(toPlanned),
    marks.filter((mark) => mark !== undefined),
  );
}

/** The state of slices that any worker may claim immediately. */
const UNCLAIMED = { state: 'ready', dueInMs: 0 } as const;

async function findAllDevices({ storage }: WorkerContext, task: Task): Promise<DeviceGroup[]> {
  const reads = storage.shards.all.map((db) => findAudienceGroups(db, task.appId, audienceOfDevices(task)));
  return (await Promise.all(reads)).flat();
}

const toSingleDeviceGroup = (device: Device): DeviceGroup => ({
  ...device,
  placeCount: 1,
  deviceIds: device.deviceId.toString(),
  generations: device.generation.toString(),
});

const toPlanned = ({ task: { taskId }, expansions }: DecidedTask) => ({ taskId, expansions });

/**
 * Plans the expansions of tasks to all devices or to tags, one per shard, which many workers then share. Expansions of
 * a cancelled task are stored as done. Otherwise a worker could claim an expansion and send it before the cancellation
 * is propagated.
 */
export async function planShards(context: WorkerContext, claims: readonly DecidedTask[]): Promise<void> {
  const expansionsByDatabase = (decidedTasks: readonly DecidedTask[]) => {
    const expansions = decidedTasks.flatMap(({ task: { taskId, appId, lane } }) =>
      ALL_SHARDS.map((shard) => ({ taskId, appId, lane, shard })),
    );
    return [...byDatabase(context.storage.shards, expansions, ({ shard }) => shard)];
  };
  await Promise.all([
    ...expansionsByDatabase(claims.filter(({ cancelled }) => !cancelled)).map(([db, group]) =>
      insertExpansions(db, group),
    ),
    ...expansionsByDatabase(claims.filter(({ cancelled }) => cancelled)).map(([db, group]) =>
      expandLists(db, group, []),
    ),
  ]);
  await finishPlanning(context, claims);
}

/** Maximum number of slices per statement. 16 slices are about 100 KB of text. */
const SLICES_PER_INSERT_MAX = 16;

/**
 * Streams the devices of one shard into slices, in one transaction. Any worker can then claim the slices. If the task
 * was cancelled before or during the expansion, the expansion ends without slices.
 */
export async function expandShard(context: WorkerContext, expansion: ClaimedExpansion): Promise<void> {
  const db = context.storage.shards.dbFor(expansion.shard);
  if (expansion.cancelled) {
    await endExpansion(db, expansion);
    return;
  }
  const tasks = await context.taskCache.get([expansion.taskId]);
  const task = tasks.get(expansion.taskId);
  if (!task) throw new Error(`Task ${expansion.taskId} of an expansion does not exist.`);
  const rules = await context.accounts.routeRulesOf(task);
  const slicer = new Slicer({ task, rules, shard: expansion.shard, initialState: UNCLAIMED });
  const planned: Pick<NewSlice, 'channel' | 'placeCount'>[] = [];
  const beganMs = performance.now();
  const result = await streamExpansion(db, expansion, audienceOfDevices(task), async (tx, groups, last) => {
    const slices = [...slicer.add(groups), ...(last ? slicer.flush() : [])];
    planned.push(...slices.map(({ channel, placeCount }) => ({ channel, placeCount })));
    for (let i = 0; i < slices.length; i += SLICES_PER_INSERT_MAX)
      await insertUnclaimedSlices(tx, slices.slice(i, i + SLICES_PER_INSERT_MAX));
  });
  workerMetrics.expandSeconds.observeSince(beganMs, task.lane);
  if (result === 'done') recordExpanded(planned);
  if (result === 'cancelled') await endExpansion(db, expansion);
}
