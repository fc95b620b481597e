import { noBits } from '#src/domain/bits.ts';
import { isFinished } from '#src/domain/finish.ts';
import { groupByDay, type Task } from '#src/domain/task.ts';
import type { TraceEvent } from '#src/domain/trace/trace-events.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { findShardProgress } from '#src/storage/ledger/expansions.ts';
import { findSliceProgress, replanTasks } from '#src/storage/ledger/lost-tasks.ts';
import type { WrittenSlice } from '#src/storage/ledger/slices.ts';
import { findPlannedTasks, markFinished } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { databasesOfTask, groupBySameDatabases } from '../pacing/group-by-database.ts';
import type { Work } from './work.ts';
import { writeSlicesOfAllShards } from './write-slices.ts';

/**
 * Finishes tasks whose last open slice was closed. A prompt task has few slices, so it is checked each time. A bulk
 * task closes thousands of slices per second, so the next sweep checks it. A task that is being planned cannot be
 * finished yet and is checked when planning ends.
 */
export async function handleClosedSlices(
  context: WorkerContext,
  tasks: readonly Pick<Task, 'taskId' | 'lane'>[],
): Promise<void> {
  const taskIdsToFinish: bigint[] = [];
  for (const { taskId, lane } of tasks) {
    const planning = context.tasksBeingPlanned.get(taskId);
    if (lane === 'bulk') context.bulkTasksToCheck.add(taskId);
    else if (planning) planning.closed = true;
    else taskIdsToFinish.push(taskId);
  }
  await finishTasks(context, taskIdsToFinish);
}

/**
 * Finishes the tasks that have no work left. Must be called after the transaction that closed a slice is committed,
 * never inside the transaction. Otherwise two workers that close the last two slices at the same time would each see
 * the other slice as open.
 */
export async function finishTasks(context: WorkerContext, taskIds: readonly bigint[]): Promise<void> {
  const days = groupByDay([...new Set(taskIds)], (taskId) => taskId);
  await settleAll(days.map((ofDay) => finishTasksOfDay(context, ofDay)));
}

async function finishTasksOfDay(context: WorkerContext, taskIds: readonly bigint[]): Promise<void> {
  const { home, shards } = context.storage;
  const planned = await findPlannedTasks(home, taskIds);
  if (planned.length === 0) return;
  const groups = groupBySameDatabases(planned, (task) => databasesOfTask(shards, task));
  await context.independentWork.settle(
    groups.map(({ items, databases }) => {
      const groupIds = items.map(({ taskId }) => taskId);
      return { databases, work: finishGroup(context, databases, groupIds) };
    }),
  );
}

/** Finishes tasks that need the same databases. If one of these is unavailable, a later sweep checks the tasks again. */
async function finishGroup(
  context: WorkerContext,
  databases: ReadonlySet<ShardDb>,
  taskIds: readonly bigint[],
): Promise<void> {
  let reads: Awaited<ReturnType<typeof findProgress>>[];
  try {
    reads = await Promise.all([...databases].map((db) => findProgress(db, taskIds)));
  } catch (error) {
    if (error instanceof Unavailable) return;
    throw error;
  }
  const progressByTask = Map.groupBy(
    reads.flatMap(({ progress }) => progress),
    ({ taskId }) => taskId,
  );
  const lostIds = new Set(reads.flatMap(({ lost }) => lost));
  const ended = await replanLost(context, lostIds);
  const finishedIds = taskIds.filter((taskId) => {
    if (lostIds.has(taskId) && !ended.has(taskId)) return false;
    return isFinished(progressByTask.get(taskId) ?? (ended.has(taskId) ? [NOTHING_OPEN] : []));
  });
  if (finishedIds.length > 0) await markFinished(context.storage.home, finishedIds);
}

/** The progress of a task that was cancelled or has expired, in a database that has lost its rows. */
const NOTHING_OPEN = { hasOpenExpansion: false, hasOpenSlice: false } as const;

/**
 * Returns the progress of planned tasks in one database, and the tasks that this database has lost. The expansions of a
 * planned task exist in each of its databases, so they can be missing only if commits were lost. A failover to a replica
 * that lagged behind is an example. A task that still has slices is not lost, because its devices would be notified
 * again.
 */
async function findProgress(db: ShardDb, taskIds: readonly bigint[]) {
  const progress = await findShardProgress(db, taskIds);
  const present = new Set(progress.map(({ taskId }) => taskId));
  const missing = taskIds.filter((taskId) => !present.has(taskId));
  if (missing.length === 0) return { progress, lost: [] };
  const ofSlices = await findSliceProgress(db, missing);
  const withSlices = new Set(ofSlices.map(({ taskId }) => taskId));
  return { progress: [...progress, ...ofSlices], lost: missing.filter((taskId) => !withSlices.has(taskId)) };
}

/** Maximum number of task IDs in a log entry. */
const LOGGED_TASKS_MAX = 20;

/** Plans lost tasks again. Returns the tasks that are not planned again, because they were cancelled or have expired. */
async function replanLost({ storage, log }: WorkerContext, lostIds: ReadonlySet<bigint>): Promise<ReadonlySet<bigint>> {
  if (lostIds.size === 0) return new Set();
  const lost = await replanTasks(storage.home, [...lostIds]);
  if (lost.length === 0) return new Set(); // another worker plans them
  const replanned = lost.filter(({ isReplanned }) => isReplanned);
  const ended = lost.filter(({ isReplanned }) => !isReplanned);
  log.warn('expansions-lost', {
    replanned: replanned.length,
    ended: ended.length,
    taskIds: lost.slice(0, LOGGED_TASKS_MAX).map(({ taskId }) => String(taskId)),
  });
  return new Set(ended.map(({ taskId }) => taskId));
}

/**
 * Closes slices with the final statuses of their places, and finishes their tasks if these were the last slices.
 * Returns the written slices.
 */
export async function closeSlices(
  context: WorkerContext,
  slicesToClose: readonly { readonly work: Work; readonly status: Buffer; readonly events?: readonly TraceEvent[] }[],
): Promise<ReadonlyMap<string, WrittenSlice>> {
  const written = await writeSlicesOfAllShards(
    context,
    slicesToClose.map(({ work: { slice }, status, events = [] }) => ({
      claimed: slice,
      status,
      sent: noBits(slice.sent.length),
      state: 'closed',
      dueInMs: 0,
      attempts: slice.attempts,
      historyEntries: events,
    })),
  );
  await handleClosedSlices(
    context,
    slicesToClose.map(({ work }) => work.task),
  );
  return written;
}
