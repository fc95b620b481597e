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
 * Something of these tasks was closed. A prompt task has few slices, and whoever closes one looks for the task's end; of a
 * bulk task thousands are closed a second, so its end is looked for by the next sweep. One that is being planned cannot be
 * at its end before that is done, and whoever plans it looks then.
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
 * Finishes those of the tasks that have nothing left to do. Asked after the commit that closed something, never inside
 * it: of two workers that close the last two slices at once, each would still see the other's as open.
 */
export async function finishTasks({ storage }: WorkerContext, taskIds: readonly bigint[]): Promise<void> {
  if (taskIds.length === 0) return;
  const planned = await findPlannedTasks(storage.home, [...new Set(taskIds)]);
  if (planned.length === 0) return;
  const groups = taskIdsByDatabase(storage.shards, planned);
  const progress = (await Promise.all([...groups].map(([db, ids]) => findShardProgress(db, ids)))).flat();
  const finished = planned.filter(({ taskId, expansions }) => {
    const taskProgress = progress.filter((row) => row.taskId === taskId);
    return isFinished(
      expansions,
      taskProgress.map(({ expansionsDone, hasOpenSlice }) => ({
        expansionsDone: Number(expansionsDone),
        hasOpenSlice,
      })),
    );
  });
  if (finished.length > 0)
    await markFinished(
      storage.home,
      finished.map(({ taskId }) => taskId),
    );
}

/** Closes slices with the places as they ended, and their tasks if that was the last of them. Answers what was written. */
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
