import { ALL_SHARDS, homeShardOf } from '#src/domain/task.ts';
import { byDatabase } from '#src/truth/database.ts';
import type { Device, DeviceGroup } from '#src/truth/devices.ts';
import { endExpansion, type HeldExpansion, insertExpansions, streamExpansion } from '#src/truth/expansions.ts';
import { expandLists, leaveSlices } from '#src/truth/slices.ts';
import { type ClaimedTask, markPlanned } from '#src/truth/tasks.ts';
import { spreadCancels } from './cancel.ts';
import type { Work, WorkerContext } from './context.ts';
import { findAudiences } from './find-audiences.ts';
import { Slicer } from './slice-devices.ts';

/**
 * Turns the audiences of list tasks into slices: one read and one insert per database for all of them. The slices are
 * born leased, so the worker that made them sends them at once. Every step may be repeated by another worker: the
 * expansion's row decides whose slices count.
 */
export async function expandTasks(context: WorkerContext, claims: readonly ClaimedTask[]): Promise<Work[]> {
  const tasks = claims.map(({ task }) => task);
  const audienceOf = await findAudiences(context.truth, tasks);
  const birth = { state: 'leased', nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000 } as const;
  const slices = await Promise.all(
    claims.map(async ({ task, cancelled }) => {
      if (cancelled) return [];
      const rules = await context.accounts.rulesOf(task);
      const slicer = new Slicer({ task, rules, shard: homeShardOf(task.taskId), birth });
      return [...slicer.add(audienceOf(task).map(alone)), ...slicer.rest()];
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
  await markPlanned(context.truth.home, claims);
  const cancelled = await spreadCancels(context, claims.map(toPlanned));
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  return made.flat().flatMap((slice): Work[] => {
    const task = byId.get(slice.taskId);
    if (!task || slice.channel === 'none') return [];
    return [{ slice: { ...slice, cancelled: cancelled.has(slice.taskId) }, task, heldSinceMs }];
  });
}

const alone = (device: Device): DeviceGroup => ({
  ...device,
  n: 1,
  deviceIds: device.deviceId.toString(),
  generations: device.generation.toString(),
});

const toPlanned = ({ task: { taskId }, expansions }: ClaimedTask) => ({ taskId, expansions });

/** Plans the expansions of tasks to everyone or to tags, one per shard. Many workers then share them. */
export async function planShards(context: WorkerContext, claims: readonly ClaimedTask[]): Promise<void> {
  const expansions = claims.flatMap(({ task: { taskId, appId, lane } }) =>
    ALL_SHARDS.map((shard) => ({ taskId, appId, lane, shard })),
  );
  await Promise.all(
    [...byDatabase(context.truth.shards, expansions, ({ shard }) => shard)].map(([db, group]) =>
      insertExpansions(db, group),
    ),
  );
  await markPlanned(context.truth.home, claims);
  await spreadCancels(context, claims.map(toPlanned));
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
  const audience = { dueAt: task.dueAt, tags: task.audience.kind === 'tag' ? task.audience.names : null };
  const slicer = new Slicer({ task, rules, shard: expansion.shard, birth: { state: 'ready', nextInMs: 0 } });
  const end = await streamExpansion(db, expansion, audience, async (tx, groups, last) => {
    const full = [...slicer.add(groups), ...(last ? slicer.rest() : [])];
    for (let i = 0; i < full.length; i += SLICES_PER_INSERT_MAX)
      await leaveSlices(tx, full.slice(i, i + SLICES_PER_INSERT_MAX));
  });
  if (end === 'cancelled') await endExpansion(db, expansion);
}
