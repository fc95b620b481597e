import type { Lane, Task, TaskRange, WorkKind } from '#src/domain/task.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { sendWakeUp } from '#src/signals/wake-up.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { findDueApps } from '#src/storage/ledger/app-turns.ts';
import { type ClaimedExpansion, claimExpansions, findBusyApps } from '#src/storage/ledger/expansions.ts';
import { type ClaimedSlice, claimSlices } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, claimTasks, type DecidedTask } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { expandTasks } from '../expand/expand-lists.ts';
import { decideExpansions, expandRange, planGroups, planRanges } from '../expand/expand-ranges.ts';
import { type ListAudience, locateAudiences } from '../expand/find-audiences.ts';
import { groupBySameDatabases } from '../pacing/group-by-database.ts';
import { recordQueueTimes } from '../record-metrics.ts';
import { propagateCancels } from '../send/cancel.ts';
import { dispatch } from '../send/dispatch.ts';
import { handleClosedSlices } from '../send/finish.ts';
import type { Work } from '../send/work.ts';
import { runClaimed } from './run-claimed.ts';
import type { OnClaimed } from './slots.ts';

/**
 * Maximum number of small tasks or slices that are claimed together. Separate claims would need several round trips for
 * each task or slice.
 */
const GROUP_MAX = 64;
/** Approximate maximum number of places that are processed together. */
const PLACES_MAX = 2_048;
/**
 * An app with this many due slices is not expanded further. More slices would only wait, so the worker expands tasks of
 * other apps instead.
 */
const DUE_SLICES_MAX = 1_000;

/**
 * Runs one claim of each kind per database and processes the claimed work. Databases are processed independently, so
 * that an unavailable database does not stop the work of the others. Returns the kinds with a full claim, which means
 * that more work may be due. A separate wake-up signal is sent for work that is added during the claim.
 */
export async function claimWork(
  context: WorkerContext,
  lane: Lane,
  taskRange: TaskRange,
  kinds: ReadonlySet<WorkKind>,
): Promise<ReadonlySet<WorkKind>> {
  const { shards } = context.storage;
  const full = new Set<WorkKind>();
  const claim = async (kind: WorkKind, claims: () => Promise<boolean>[]) => {
    if (kinds.has(kind) && (await settleAll(claims())).includes(true)) full.add(kind);
  };
  await settleAll([
    claim('tasks', () => [claimDueTasks(context, lane, taskRange)]),
    claim('slices', () => shards.all.map((db) => claimDueSlices(context, db, lane, taskRange))),
    // In the prompt lane, the worker that claims a task also expands it.
    claim('expansions', () =>
      lane === 'bulk' ? shards.all.map((db) => claimDueExpansion(context, db, lane, taskRange)) : [],
    ),
  ]);
  return full;
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
  await runClaimed(context, { lane, tasks }, () => processTasks(context, lane, tasks, onClaimed));
  return tasks.length >= GROUP_MAX;
}

async function claimDueSlices(context: WorkerContext, db: ShardDb, lane: Lane, taskRange: TaskRange): Promise<boolean> {
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const turns = await context.appTurns[lane].next(db, 'slices', taskRange);
  const acquiredAtMs = performance.now();
  const claim = { lane, limit: GROUP_MAX, leaseSeconds, taskRange, turns, placesMax: PLACES_MAX };
  const slices = await claimSlices(db, claim);
  const places = slices.reduce((sum, { placeCount }) => sum + placeCount, 0);
  const isFull = slices.length >= GROUP_MAX || places >= PLACES_MAX;
  context.appTurns[lane].recordClaim(db, 'slices', isFull);
  if (slices.length === 0) return false;
  await runClaimed(context, { lane, slices }, () => processSlices(context, slices, acquiredAtMs));
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
  await runClaimed(context, { lane, expansions }, () => processExpansions(context, lane, expansions));
  return true;
}

async function processTasks(
  context: WorkerContext,
  lane: Lane,
  claims: readonly ClaimedTask[],
  onClaimed?: OnClaimed,
): Promise<void> {
  for (const { task } of claims) context.taskCache.add(task);
  const decidedTasks = await decideExpansions(context, claims);
  const isGroup = ({ task }: DecidedTask) => task.lane === 'bulk' && task.groupId !== null;
  const toPlan = decidedTasks.filter((claim) => claim.byRange || isGroup(claim));
  if (toPlan.length > 0) {
    await planRanges(
      context,
      toPlan.filter(({ byRange }) => byRange),
    );
    await planGroups(context, toPlan.filter(isGroup));
    await finishPlanning(context, toPlan);
    sendWakeUp(context.signals, lane, 'expansions');
    const cancelled = toPlan.filter((claim) => claim.cancelled);
    await handleClosedSlices(
      context,
      cancelled.map(({ task }) => task),
    );
  }
  const lists = decidedTasks.filter((claim) => !toPlan.includes(claim));
  const audiences = await locateAudiences(
    context.storage,
    lists.map(({ task }) => task),
  );
  const listClaims = lists.map((claim, i) => ({ claim, audience: audiences[i] as ListAudience }));
  const groups = groupBySameDatabases(listClaims, ({ audience }) => audience.databases);
  const expanding = groups.map((group) => expandTasks(context, group));
  void Promise.allSettled(expanding).then(onClaimed);
  await settleAll(
    groups.map(async (group, i) => {
      const works = (await expanding[i]) as Work[];
      const decided = group.map(({ claim }) => claim);
      const closedTasks = await findClosedDuringPlanning(context, decided, works, () =>
        // A cancellation after this point may be too late, as for any slice that is already being sent.
        settleAll([
          context.releaseQueue.releaseIfUnavailable({ slices: works.map(({ slice }) => slice) }, () =>
            dispatch(context, works),
          ),
          finishPlanning(context, decided),
        ]),
      );
      if (lane === 'bulk') sendWakeUp(context.signals, lane, 'slices');
      await handleClosedSlices(context, closedTasks);
    }),
  );
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
    await context.bulkThrottle.runRound(lane, () => expandRange(context, expansion));
    sendWakeUp(context.signals, lane, 'slices');
    await handleClosedSlices(context, [expansion]);
  }
}

async function processSlices(
  context: WorkerContext,
  slices: readonly ClaimedSlice[],
  acquiredAtMs: number,
): Promise<void> {
  const tasks = await context.taskCache.get(slices.map(({ taskId }) => taskId));
  const works = slices.flatMap((slice): Work[] => {
    const task = tasks.get(slice.taskId);
    return task ? [{ slice, task, acquiredAtMs }] : [];
  });
  await dispatch(context, works);
}
