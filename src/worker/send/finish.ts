import { noBits } from '#src/domain/bits.ts';
import { isFinished } from '#src/domain/finish.ts';
import type { Task } from '#src/domain/task.ts';
import type { TraceEvent } from '#src/domain/trace/trace-events.ts';
import { findShardProgress } from '#src/storage/ledger/expansions.ts';
import type { WrittenSlice } from '#src/storage/ledger/slices.ts';
import { findPlannedTasks, markFinished } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { taskIdsByDatabase } from '../pacing/group-by-database.ts';
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
export async function finishTasks({ storage }: WorkerContext, taskIds: readonly bigint[]): Promise<void> {
  if (taskIds.length === 0) return;
  const planned = await findPlannedTasks(storage.home, [...new Set(taskIds)]);
  if (planned.length === 0) return;
  const groups = taskIdsByDatabase(storage.shards, planned);
  const progress = (await Promise.all([...groups].map(([db, ids]) => findShardProgress(db, ids)))).flat();
  const progressByTask = Map.groupBy(progress, ({ taskId }) => taskId);
  const finished = planned.filter(({ taskId }) => isFinished(progressByTask.get(taskId) ?? []));
  if (finished.length > 0)
    await markFinished(
      storage.home,
      finished.map(({ taskId }) => taskId),
    );
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
      sent: noBits(slice.placeCount),
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
