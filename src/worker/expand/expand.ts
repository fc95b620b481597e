import { ALL_SHARDS, homeShardOf, type Task } from '#src/domain/task.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import type { Device, DeviceGroup } from '#src/storage/devices/devices.ts';
import {
  type AudienceOfDevices,
  countEveryone,
  endExpansion,
  findEveryone,
  type HeldExpansion,
  insertExpansions,
  streamExpansion,
} from '#src/storage/ledger/expansions.ts';
import { expandLists, leaveSlices, type NewSlice } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, type DecidedTask, decideExpansions } from '#src/storage/ledger/tasks.ts';
import type { Work, WorkerContext } from '../context.ts';
import { workerMetrics } from '../metrics.ts';
import { spreadCancels } from '../send/cancel.ts';
import { countExpanded } from '../upkeep/record-metrics.ts';
import { findAudiences } from './find-audiences.ts';
import { Slicer } from './slicer.ts';

/**
 * Decides how tasks to everyone, or to tags, are expanded: where these are few, as a list, which is one expansion instead
 * of 64. Tasks that are not ours any more are left out.
 */
export async function decide(context: WorkerContext, claims: readonly ClaimedTask[]): Promise<DecidedTask[]> {
  const decided: DecidedTask[] = [];
  for (const claim of claims) {
    const { task, cancelled } = claim;
    if (claim.expansions !== null) decided.push({ ...claim, expansions: claim.expansions });
    else {
      const expansions = cancelled || (await areFew(context, task)) ? 1 : 64;
      if (await decideExpansions(context.truth.home, claim, expansions)) decided.push({ ...claim, expansions });
    }
  }
  return decided;
}

async function areFew({ truth, settings }: WorkerContext, task: Task): Promise<boolean> {
  const few = settings.CARILLON_LIST_DEVICES_MAX;
  let count = 0;
  for (const db of truth.shards.all)
    count += await countEveryone(db, task.appId, audienceOfDevices(task).tags, few + 1);
  return count <= few;
}

const audienceOfDevices = ({ dueAt, audience }: Task): AudienceOfDevices => ({
  dueAt,
  tags: audience.kind === 'tag' ? audience.names : null,
});

/**
 * Turns the audiences of list tasks into slices: one read and one insert per database for all of them. Slices of the prompt
 * lane are born leased, so the worker that made them sends them at once; those to everyone wait for whoever asks first.
 * Every step may be repeated by another worker: the expansion's row decides whose slices count.
 */
export async function expandTasks(context: WorkerContext, claims: readonly DecidedTask[]): Promise<Work[]> {
  const tasks = claims.map(({ task }) => task);
  const beganMs = performance.now();
  const listOf = await findAudiences(context.truth, tasks);
  const leased = { state: 'leased', nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000 } as const;
  const slices = await Promise.all(
    claims.map(async ({ task, cancelled }) => {
      if (cancelled) return [];
      const rules = await context.accounts.rulesOf(task);
      const birth = task.lane === 'bulk' ? LEFT : leased;
      const slicer = new Slicer({ task, rules, shard: homeShardOf(task.taskId), birth });
      const groups = task.lane === 'bulk' ? await everyoneOf(context, task) : listOf(task).map(alone);
      return [...slicer.add(groups), ...slicer.rest()];
    }),
  );
  const expansions = tasks.map(({ taskId, appId, lane }) => ({ taskId, appId, lane, shard: homeShardOf(taskId) }));
  const heldSinceMs = performance.now();
  const made = await Promise.all(
    [...byDatabase(context.truth.shards, expansions, ({ shard }) => shard)].map(([db, group]) => {
      const mine = new Set(group.map(({ taskId }) => taskId));
      return expandLists(
        db,
        group,
        slices.flat().filter(({ taskId }) => mine.has(taskId)),
      );
    }),
  );
  countExpanded(made.flat());
  workerMetrics.expandSeconds.since(beganMs, tasks[0]?.lane ?? 'prompt');
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  return made.flat().flatMap((slice): Work[] => {
    const task = byId.get(slice.taskId);
    if (!task || slice.channel === 'none' || task.lane === 'bulk') return [];
    const devices = new Map(listOf(task).map((device) => [device.deviceId, device]));
    return [{ slice, task, heldSinceMs, devices }];
  });
}

/** Says at home that all expansions of these tasks exist, and sees to those that were cancelled meanwhile. */
export async function endPlanning(context: WorkerContext, claims: readonly DecidedTask[]): Promise<void> {
  const told = await Promise.all(claims.map((claim) => context.planned.add(claim)));
  await spreadCancels(
    context,
    claims.map(toPlanned),
    told.filter((mark) => mark !== undefined),
  );
}

/** For whoever asks first. */
const LEFT = { state: 'ready', nextInMs: 0 } as const;

async function everyoneOf({ truth }: WorkerContext, task: Task): Promise<DeviceGroup[]> {
  const found = truth.shards.all.map((db) => findEveryone(db, task.appId, audienceOfDevices(task)));
  return (await Promise.all(found)).flat();
}

const alone = (device: Device): DeviceGroup => ({
  ...device,
  n: 1,
  deviceIds: device.deviceId.toString(),
  generations: device.generation.toString(),
});

const toPlanned = ({ task: { taskId }, expansions }: DecidedTask) => ({ taskId, expansions });

/**
 * Plans the expansions of tasks to everyone or to tags, one per shard. Many workers then share them. Those of a task that
 * was cancelled are done already: whoever found one before the word comes would send it.
 */
export async function planShards(context: WorkerContext, claims: readonly DecidedTask[]): Promise<void> {
  const groupsOf = (some: readonly DecidedTask[]) => {
    const expansions = some.flatMap(({ task: { taskId, appId, lane } }) =>
      ALL_SHARDS.map((shard) => ({ taskId, appId, lane, shard })),
    );
    return [...byDatabase(context.truth.shards, expansions, ({ shard }) => shard)];
  };
  await Promise.all([
    ...groupsOf(claims.filter(({ cancelled }) => !cancelled)).map(([db, group]) => insertExpansions(db, group)),
    ...groupsOf(claims.filter(({ cancelled }) => cancelled)).map(([db, group]) => expandLists(db, group, [])),
  ]);
  await endPlanning(context, claims);
}

/** How many slices one statement writes: about 100 KB of text. */
const SLICES_PER_INSERT_MAX = 16;

/**
 * Turns one shard's devices into slices, in one transaction, streaming. The slices wait for whoever asks first. If the
 * task was cancelled, or is found so at the end, the expansion ends without slices.
 */
export async function expandShard(context: WorkerContext, expansion: HeldExpansion): Promise<void> {
  const db = context.truth.shards.of(expansion.shard);
  if (expansion.cancelled) {
    await endExpansion(db, expansion);
    return;
  }
  const tasks = await context.tasks.get([expansion.taskId]);
  const task = tasks.get(expansion.taskId);
  if (!task) throw new Error(`The task ${expansion.taskId} of an expansion is gone.`);
  const rules = await context.accounts.rulesOf(task);
  const slicer = new Slicer({ task, rules, shard: expansion.shard, birth: LEFT });
  const planned: Pick<NewSlice, 'channel' | 'n'>[] = [];
  const beganMs = performance.now();
  const end = await streamExpansion(db, expansion, audienceOfDevices(task), async (tx, groups, last) => {
    const full = [...slicer.add(groups), ...(last ? slicer.rest() : [])];
    planned.push(...full.map(({ channel, n }) => ({ channel, n })));
    for (let i = 0; i < full.length; i += SLICES_PER_INSERT_MAX)
      await leaveSlices(tx, full.slice(i, i + SLICES_PER_INSERT_MAX));
  });
  workerMetrics.expandSeconds.since(beganMs, task.lane);
  if (end === 'done') countExpanded(planned);
  if (end === 'cancelled') await endExpansion(db, expansion);
}
