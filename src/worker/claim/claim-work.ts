import { claimWeightOf } from '#src/domain/slice.ts';
import { bucketOfTask, type Lane, type Task, type TaskRange, type WorkKind } from '#src/domain/task.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { sendWakeUp } from '#src/signals/wake-up.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import type { WorkGroup } from '#src/storage/database/responsive-work.ts';
import { findDueApps } from '#src/storage/ledger/app-turns.ts';
import { type ClaimedExpansion, claimExpansions, findBusyApps } from '#src/storage/ledger/expansions.ts';
import { recordExpansionFailure, recordTaskFailure } from '#src/storage/ledger/failed-work.ts';
import { type ClaimedSlice, claimSlices } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, claimTasks, type DecidedTask, reclaimTask } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { expandTasks } from '../expand/expand-lists.ts';
import { decideExpansions, expandRange, planGroup, planRanges } from '../expand/expand-ranges.ts';
import { type ListAudience, locateAudiences } from '../expand/find-audiences.ts';
import { isOwnFailure, recordFailure } from '../pacing/failed-work.ts';
import { groupBySameDatabases } from '../pacing/group-by-database.ts';
import { recordQueueTimes } from '../record-metrics.ts';
import { propagateCancels } from '../send/cancel.ts';
import { dispatch } from '../send/dispatch.ts';
import { handleClosedSlices } from '../send/finish.ts';
import { postponeSlices } from '../send/missing-tasks.ts';
import { toWork, type Work } from '../send/work.ts';
import { runClaimed } from './run-claimed.ts';
import type { OnClaimed } from './slots.ts';

/**
 * Maximum number of small tasks or slices that are claimed together. Separate claims would need several round trips for
 * each task or slice.
 */
const GROUP_MAX = 64;
/**
 * Approximate maximum number of places of the Carillon channel that are processed together. Each claim costs the same
 * number of statements, so fewer places per claim would mean more statements per notification. More places would make a
 * large task hold its slot for longer.
 */
const WEIGHT_MAX = 8_192;
/**
 * An app with this many due slices is not expanded further. More slices would only wait, so the worker expands tasks of
 * other apps instead.
 */
const DUE_SLICES_MAX = 1_000;

interface Claims {
  readonly lane: Lane;
  readonly kinds: ReadonlySet<WorkKind>;
  /** Returns the tasks whose work is claimed. It is called for each claim, because the range moves with the time. */
  readonly taskRange: () => TaskRange;
  readonly isStopped: () => boolean;
}

/**
 * Claims due work of these kinds and processes it, until a claim is not full. Each database is processed independently,
 * so that an unavailable or slow database does not stop the work of the others. A separate wake-up signal is sent for
 * work that is added after the last claim.
 */
export async function claimWork(context: WorkerContext, claims: Claims): Promise<void> {
  const { lane, kinds, taskRange, isStopped } = claims;
  const { home, shards } = context.storage;
  const claimAll = async (claim: (range: TaskRange) => Promise<boolean>) => {
    while (!isStopped() && (await claim(taskRange())));
  };
  const groups: WorkGroup[] = [];
  const start = (db: HomeDb | ShardDb, claim: (range: TaskRange) => Promise<boolean>) =>
    groups.push({ databases: [db], work: claimAll(claim) });
  if (kinds.has('tasks')) start(home, (range) => claimDueTasks(context, lane, range));
  for (const db of shards.all.filter(({ isAvailable }) => isAvailable)) {
    if (kinds.has('slices')) start(db, (range) => claimDueSlices(context, db, lane, range));
    // In the prompt lane, the worker that claims a task also expands it.
    if (kinds.has('expansions') && lane === 'bulk') start(db, (range) => claimDueExpansion(context, db, lane, range));
  }
  await context.independentWork.settle(groups);
}

/**
 * Claims tasks, expands them and sends them. Calls `onClaimed` when their expansion has ended. Returns whether the
 * claim was full.
 */
export async function claimDueTasks(
  context: WorkerContext,
  lane: Lane,
  taskRange: TaskRange,
  onClaimed?: OnClaimed,
): Promise<boolean> {
  const { home } = context.storage;
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const turns = await context.appTurns[lane].next(home, 'tasks', taskRange);
  const tasks = await claimTasks(home, { lane, limit: GROUP_MAX, leaseSeconds, taskRange, turns });
  context.appTurns[lane].recordClaim(home, 'tasks', tasks.length >= GROUP_MAX);
  if (tasks.length === 0) return false;
  recordQueueTimes(context.clock, tasks);
  const items = tasks.map(({ task }) => task);
  await runClaimed(context, lane, items, () => processTasks(context, lane, tasks, onClaimed));
  return tasks.length >= GROUP_MAX;
}

async function claimDueSlices(context: WorkerContext, db: ShardDb, lane: Lane, taskRange: TaskRange): Promise<boolean> {
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const turns = await context.appTurns[lane].next(db, 'slices', taskRange);
  const acquiredAtMs = performance.now();
  const claim = { lane, limit: GROUP_MAX, leaseSeconds, taskRange, turns, weightMax: WEIGHT_MAX };
  const slices = await claimSlices(db, claim);
  const weight = slices.reduce((sum, slice) => sum + claimWeightOf(slice), 0);
  const isFull = slices.length >= GROUP_MAX || weight >= WEIGHT_MAX;
  context.appTurns[lane].recordClaim(db, 'slices', isFull);
  if (slices.length === 0) return false;
  await runClaimed(context, lane, slices, () => processSlices(context, slices, acquiredAtMs));
  return isFull;
}

/**
 * Claims one expansion at a time, because expansions are few and large. Apps that already have enough slices to send
 * are skipped.
 */
async function claimDueExpansion(
  context: WorkerContext,
  db: ShardDb,
  lane: Lane,
  taskRange: TaskRange,
): Promise<boolean> {
  const apps = await findDueApps(db, 'expansions', lane, taskRange);
  if (apps.length === 0) return false;
  const busyApps = new Set(await findBusyApps(db, lane, apps, taskRange, DUE_SLICES_MAX));
  const turns = context.appTurns[lane].turnsOf(apps.filter((appId) => !busyApps.has(appId)));
  if (turns.size === 0) return false;
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const expansions = await claimExpansions(db, { lane, limit: 1, leaseSeconds, taskRange, turns });
  if (expansions.length === 0) return false;
  await runClaimed(context, lane, expansions, () => processExpansions(context, lane, expansions));
  return true;
}

/**
 * Expands and sends tasks. If a group of tasks fails for its own reason, each of its tasks is processed again alone. A
 * task that failed before, or is invalid, is always processed alone.
 */
async function processTasks(
  context: WorkerContext,
  lane: Lane,
  claims: readonly ClaimedTask[],
  onClaimed?: OnClaimed,
): Promise<void> {
  const isSuspect = ({ failures, task }: ClaimedTask) => failures > 0 || task.defect !== undefined;
  const others = claims.filter((claim) => !isSuspect(claim));
  const groups = [others, ...claims.filter(isSuspect).map((claim) => [claim])].filter(({ length }) => length > 0);
  await settleAll(groups.map((group, i) => processTaskGroup(context, lane, group, i === 0 ? onClaimed : undefined)));
}

/** Processes the tasks of a failed group again, each alone, or records the failure of a single task. */
async function handleFailedTasks(
  context: WorkerContext,
  lane: Lane,
  claims: readonly ClaimedTask[],
  error: unknown,
): Promise<void> {
  const { home } = context.storage;
  const [{ task, epoch }, ...others] = claims as [ClaimedTask, ...ClaimedTask[]];
  if (others.length === 0) {
    const { taskId, appId } = task;
    return recordFailure(context, { taskId, appId }, error, (failure) =>
      recordTaskFailure(home, { taskId, epoch }, failure),
    );
  }
  context.log.warn('work-failed', { tasks: claims.length, error });
  await settleAll(
    claims.map(async (claim) => {
      const reclaimed = await reclaimTask(home, claim, context.settings.CARILLON_LEASE_SECONDS);
      if (reclaimed) await processTaskGroup(context, lane, [reclaimed]);
    }),
  );
}

async function processTaskGroup(
  context: WorkerContext,
  lane: Lane,
  claims: readonly ClaimedTask[],
  onClaimed?: OnClaimed,
): Promise<void> {
  const { home, shards } = context.storage;
  for (const { task, cancelled } of claims) {
    context.taskCache.add(task);
    if (!cancelled) context.cancelChecks.confirm(task.taskId);
  }
  const run = async <T>(tasks: readonly ClaimedTask[], databases: Iterable<ShardDb>, work: () => Promise<T>) => {
    const claimed = { tasks, databases: new Set([home, ...databases]) };
    try {
      return await context.releaseQueue.releaseIfUnavailable(claimed, work);
    } catch (error) {
      if (!isOwnFailure(error)) throw error;
      await handleFailedTasks(context, lane, tasks, error);
      return undefined;
    }
  };
  const { toPlan, lists } = (await run(claims, [], () => prepareTasks(context, claims))) ?? { toPlan: [], lists: [] };
  const planning = toPlan.map((claim) => {
    const databases = new Set(claim.byRange ? shards.all : [shards.dbFor(bucketOfTask(claim.task.taskId))]);
    return { databases, work: run([claim], databases, () => planTask(context, lane, claim)) };
  });
  const groups = groupBySameDatabases(lists, ({ audience }) => audience.databases);
  const expanding = groups.map(({ items }) => expandTasks(context, items));
  void Promise.allSettled(expanding).then(onClaimed);
  const sending = groups.map(({ items, databases }, i) => {
    const decided = items.map(({ claim }) => claim);
    const send = async () => sendExpanded(context, lane, decided, (await expanding[i]) as Work[]);
    return { databases, work: run(decided, databases, send) };
  });
  await context.independentWork.settle([...planning, ...sending]);
}

/** Decides how tasks are expanded, and finds the databases of lists. */
async function prepareTasks(context: WorkerContext, claims: readonly ClaimedTask[]) {
  for (const { task, cancelled } of claims) if (task.defect !== undefined && !cancelled) throw new Error(task.defect);
  const decidedTasks = await decideExpansions(context, claims);
  const isPlanned = (claim: DecidedTask) => claim.byRange || isGroupTask(claim);
  const toPlan = decidedTasks.filter(isPlanned);
  const listClaims = decidedTasks.filter((claim) => !isPlanned(claim));
  const audiences = await locateAudiences(
    context.storage,
    listClaims.map(({ task }) => task),
  );
  return { toPlan, lists: listClaims.map((claim, i) => ({ claim, audience: audiences[i] as ListAudience })) };
}

const isGroupTask = ({ task }: DecidedTask): boolean => task.lane === 'bulk' && task.groupId !== null;

/** Creates the expansions of a task that is expanded by ranges or by pages of a group. */
async function planTask(context: WorkerContext, lane: Lane, claim: DecidedTask): Promise<void> {
  try {
    await (claim.byRange ? planRanges(context, claim) : planGroup(context, claim));
    await finishPlanning(context, [claim]);
  } finally {
    // Some databases may have expansions even if another one failed.
    sendWakeUp(context.signals, lane, 'expansions');
  }
  await handleClosedSlices(context, [claim.task]);
}

/** Sends the slices of expanded lists, and marks their tasks as planned at the same time. */
async function sendExpanded(
  context: WorkerContext,
  lane: Lane,
  claims: readonly DecidedTask[],
  works: readonly Work[],
): Promise<void> {
  const closedTasks = await findClosedDuringPlanning(context, claims, works, () =>
    // A cancellation after this point may be too late, as for any slice that is already being sent.
    settleAll([dispatch(context, works), finishPlanning(context, claims)]),
  );
  if (lane === 'bulk') sendWakeUp(context.signals, lane, 'slices');
  await handleClosedSlices(context, closedTasks);
}

/**
 * Runs `plan` and returns the tasks that may be finished: those without an open slice, and those with a slice that was
 * closed during planning.
 */
async function findClosedDuringPlanning(
  { tasksBeingPlanned }: WorkerContext,
  claims: readonly DecidedTask[],
  works: readonly Work[],
  plan: () => Promise<unknown>,
): Promise<Task[]> {
  const openTaskIds = new Set(works.map(({ task }) => task.taskId));
  const tasks = claims.map(({ task }) => task);
  for (const { taskId } of tasks) tasksBeingPlanned.set(taskId, { closed: !openTaskIds.has(taskId) });
  try {
    await plan();
    return tasks.filter(({ taskId }) => tasksBeingPlanned.get(taskId)?.closed);
  } finally {
    for (const { taskId } of tasks) tasksBeingPlanned.delete(taskId);
  }
}

/**
 * Marks in the home database that all expansions of these tasks exist, and propagates their cancellations to the
 * shards.
 */
async function finishPlanning(context: WorkerContext, claims: readonly DecidedTask[]): Promise<void> {
  const marks = await Promise.all(claims.map((claim) => context.plannedMarks.add(claim)));
  await propagateCancels(
    context,
    claims.map(({ task: { taskId }, byRange }) => ({ taskId, byRange })),
    marks.filter((mark) => mark !== undefined),
  );
}

async function processExpansions(
  context: WorkerContext,
  lane: Lane,
  expansions: readonly ClaimedExpansion[],
): Promise<void> {
  for (const expansion of expansions) {
    try {
      await context.bulkThrottle.runRound(lane, () => expandRange(context, expansion));
    } catch (error) {
      if (!isOwnFailure(error)) throw error;
      const { taskId, bucket, afterId, appId } = expansion;
      await recordFailure(context, { taskId, bucket, afterId, appId }, error, (failure) =>
        recordExpansionFailure(context.storage.shards.dbFor(bucket), expansion, failure),
      );
      continue;
    }
    sendWakeUp(context.signals, lane, 'slices');
    await handleClosedSlices(context, [expansion]);
  }
}

async function processSlices(
  context: WorkerContext,
  slices: readonly ClaimedSlice[],
  acquiredAtMs: number,
): Promise<void> {
  const { home } = context.storage;
  const tasks = await context.releaseQueue.releaseIfUnavailable({ slices, databases: new Set([home]) }, () =>
    context.taskCache.get(slices.map(({ taskId }) => taskId)),
  );
  const works = slices.flatMap((slice): Work[] => {
    const task = tasks.get(slice.taskId);
    return task ? [toWork(slice, task, acquiredAtMs)] : [];
  });
  const slicesWithoutTask = slices.filter(({ taskId }) => !tasks.has(taskId));
  await settleAll([dispatch(context, works), postponeSlices(context, slicesWithoutTask)]);
}
