import type { Lane, Task } from '#src/domain/task.ts';
import { ringDoorbell } from '#src/signals/wake-up.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { findDueApps } from '#src/storage/ledger/app-turns.ts';
import { claimExpansions, findBusyApps, type HeldExpansion } from '#src/storage/ledger/expansions.ts';
import { claimSlices, type HeldSlice } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, claimTasks, type DecidedTask, type TaskRange } from '#src/storage/ledger/tasks.ts';
import type { Work, WorkerContext } from '../context.ts';
import { decide, endPlanning, expandShard, expandTasks, planShards } from '../expand/expand.ts';
import { groupByNeeds, settleAll, shardsOfTask } from '../pacing/group-by-database.ts';
import { dispatch } from '../send/dispatch.ts';
import { noteClosed } from '../send/finish.ts';
import { countWaits } from '../upkeep/record-metrics.ts';
import type { Taken } from './slots.ts';

/** Small tasks and slices travel together, up to so many: one by one each would cost its own round trips. */
const GROUP_MAX = 64;
/** So many places, about, travel together. */
const PLACES_MAX = 2_048;
/** An app that has so many slices to send is not expanded further: they could not be sent sooner, and those of others can. */
const DUE_SLICES_MAX = 1_000;

/** What is looked for: everything there can be, or what a doorbell of this lane rings for. */
export interface Look {
  readonly lane: Lane;
  readonly taskRange: TaskRange;
  readonly swept: boolean;
  readonly taken: Taken;
}

/**
 * One question to each database, and whatever it brings is done. Each is a chain of its own: a database that is away
 * stops nothing of what the others have. True: it took as much as it may, so there may be more. Whoever comes meanwhile
 * rings.
 */
export async function lookForWork(context: WorkerContext, look: Look): Promise<boolean> {
  const { lane, taskRange, swept, taken } = look;
  const { shards } = context.truth;
  // Prompt work comes as tasks, which are expanded and sent by whoever takes them; the rest falls due.
  if (lane === 'prompt' && !swept) return lookForTasks(context, look);
  taken();
  const chains = await Promise.allSettled([
    lookForTasks(context, look),
    ...shards.all.map((db) => lookForSlices(context, db, lane, taskRange)),
    // Lists are expanded by whoever takes the task.
    ...(lane === 'bulk' ? shards.all.map((db) => lookForExpansion(context, db, lane, taskRange)) : []),
  ]);
  const failed = chains.find((chain) => chain.status === 'rejected');
  if (failed) throw failed.reason;
  return chains.some((chain) => chain.status === 'fulfilled' && chain.value);
}

async function lookForTasks(context: WorkerContext, { lane, taskRange, taken }: Look): Promise<boolean> {
  const { home } = context.truth;
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const turns = await context.turns[lane].next(home, 'tasks', taskRange);
  const tasks = await claimTasks(home, { lane, limit: GROUP_MAX, leaseSeconds, taskRange, turns });
  context.turns[lane].saw(home, 'tasks', tasks.length >= GROUP_MAX);
  if (tasks.length === 0) return false;
  countWaits(context, tasks);
  const take = () =>
    context.turns[lane].during(
      tasks.map(({ task }) => task),
      () => takeTasks(context, lane, tasks, taken),
    );
  await context.letGo.after({ tasks }, lane === 'prompt' ? context.courtesy.prompt(take) : take());
  return tasks.length >= GROUP_MAX;
}

async function lookForSlices(context: WorkerContext, db: ShardDb, lane: Lane, taskRange: TaskRange): Promise<boolean> {
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const turns = await context.turns[lane].next(db, 'slices', taskRange);
  const heldSinceMs = performance.now();
  const claim = { lane, limit: GROUP_MAX, leaseSeconds, taskRange, turns, placesMax: PLACES_MAX };
  const slices = await claimSlices(db, claim);
  const places = slices.reduce((sum, { n }) => sum + n, 0);
  const full = slices.length >= GROUP_MAX || places >= PLACES_MAX;
  context.turns[lane].saw(db, 'slices', full);
  if (slices.length === 0) return false;
  const take = () => context.turns[lane].during(slices, () => takeSlices(context, slices, heldSinceMs));
  await context.letGo.after({ slices }, lane === 'prompt' ? context.courtesy.prompt(take) : take());
  return full;
}

/** Expansions are few and large: one at a time, of an app that has not enough to send yet. */
async function lookForExpansion(
  context: WorkerContext,
  db: ShardDb,
  lane: Lane,
  taskRange: TaskRange,
): Promise<boolean> {
  const apps = await findDueApps(db, 'expansions', lane, taskRange);
  if (apps.length === 0) return false;
  const busy = new Set(await findBusyApps(db, lane, apps, taskRange, DUE_SLICES_MAX));
  const turns = context.turns[lane].among(apps.filter((appId) => !busy.has(appId)));
  if (turns.size === 0) return false;
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const expansions = await claimExpansions(db, { lane, limit: 1, leaseSeconds, taskRange, turns });
  if (expansions.length === 0) return false;
  await context.turns[lane].during(expansions, () => takeExpansions(context, lane, expansions));
  return true;
}

async function takeTasks(
  context: WorkerContext,
  lane: Lane,
  claimed: readonly ClaimedTask[],
  taken: Taken,
): Promise<void> {
  for (const { task } of claimed) context.tasks.add(task);
  const tasks = await decide(context, claimed);
  const lists = tasks.filter(({ expansions }) => expansions === 1);
  const everyone = tasks.filter(({ expansions }) => expansions > 1);
  if (everyone.length > 0) {
    await planShards(context, everyone);
    ringDoorbell(context.motion, lane);
    const cancelled = everyone.filter((claim) => claim.cancelled);
    await noteClosed(
      context,
      cancelled.map(({ task }) => task),
    );
  }
  const groups = groupByNeeds(context.truth.shards, lists, ({ task }) => shardsOfTask(task));
  const expanding = groups.map((group) => expandTasks(context, group));
  void Promise.allSettled(expanding).then(taken);
  await settleAll(
    groups.map(async (group, i) => {
      const works = (await expanding[i]) as Work[];
      const closed = await planDuring(context, group, works, () =>
        // Whoever cancels at this very moment may be too late, as with everything that is on its way.
        settleAll([
          context.letGo.after({ slices: works.map(({ slice }) => slice) }, dispatch(context, works)),
          endPlanning(context, group),
        ]),
      );
      if (lane === 'bulk') ringDoorbell(context.motion, lane);
      await noteClosed(context, closed);
    }),
  );
}

/** Answers those of the tasks of which nothing is open, or something was closed meanwhile. */
async function planDuring(
  { planning }: WorkerContext,
  claims: readonly DecidedTask[],
  works: readonly Work[],
  plan: () => Promise<void>,
): Promise<Task[]> {
  const open = new Set(works.map(({ task }) => task.taskId));
  const tasks = claims.map(({ task }) => task);
  for (const { taskId } of tasks) planning.set(taskId, { closed: !open.has(taskId) });
  try {
    await plan();
    return tasks.filter(({ taskId }) => planning.get(taskId)?.closed);
  } finally {
    for (const { taskId } of tasks) planning.delete(taskId);
  }
}

async function takeExpansions(context: WorkerContext, lane: Lane, expansions: readonly HeldExpansion[]): Promise<void> {
  for (const expansion of expansions) {
    await context.courtesy.round(lane, () => expandShard(context, expansion));
    ringDoorbell(context.motion, lane);
    await noteClosed(context, [expansion]);
  }
}

async function takeSlices(context: WorkerContext, slices: readonly HeldSlice[], heldSinceMs: number): Promise<void> {
  const tasks = await context.tasks.get(slices.map(({ taskId }) => taskId));
  const works = slices.flatMap((slice): Work[] => {
    const task = tasks.get(slice.taskId);
    return task ? [{ slice, task, heldSinceMs }] : [];
  });
  await dispatch(context, works);
}
