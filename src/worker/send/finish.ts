import { noBits } from '#src/domain/bits.ts';
import { isFinished } from '#src/domain/finish.ts';
import type { Task } from '#src/domain/task.ts';
import type { Said } from '#src/domain/trace/trace-events.ts';
import { findProgress } from '#src/storage/ledger/expansions.ts';
import type { SliceWritten } from '#src/storage/ledger/slices.ts';
import { findPlanned, markFinished } from '#src/storage/ledger/tasks.ts';
import { type Work, type WorkerContext, writeAll } from '../context.ts';
import { tasksByDatabase } from '../pacing/group-by-database.ts';

/**
 * Something of these tasks was closed. A prompt task has few slices, and whoever closes one looks for the task's end; of a
 * bulk task thousands are closed a second, so its end is looked for by the next sweep. One that is being planned cannot be
 * at its end before that is done, and whoever plans it looks then.
 */
export async function noteClosed(
  context: WorkerContext,
  tasks: readonly Pick<Task, 'taskId' | 'lane'>[],
): Promise<void> {
  const mayEnd: bigint[] = [];
  for (const { taskId, lane } of tasks) {
    const planning = context.planning.get(taskId);
    if (lane === 'bulk') context.closedBulk.add(taskId);
    else if (planning) planning.closed = true;
    else mayEnd.push(taskId);
  }
  await finishTasks(context, mayEnd);
}

/**
 * Finishes those of the tasks that have nothing left to do. Asked after the commit that closed something, never inside
 * it: of two workers that close the last two slices at once, each would still see the other's as open.
 */
export async function finishTasks({ truth }: WorkerContext, taskIds: readonly bigint[]): Promise<void> {
  if (taskIds.length === 0) return;
  const planned = await findPlanned(truth.home, [...new Set(taskIds)]);
  if (planned.length === 0) return;
  const groups = tasksByDatabase(truth.shards, planned);
  const progress = (await Promise.all([...groups].map(([db, ids]) => findProgress(db, ids)))).flat();
  const finished = planned.filter(({ taskId, expansions }) => {
    const mine = progress.filter((row) => row.taskId === taskId);
    return isFinished(
      expansions,
      mine.map(({ done, open }) => ({ done: Number(done), open })),
    );
  });
  if (finished.length > 0)
    await markFinished(
      truth.home,
      finished.map(({ taskId }) => taskId),
    );
}

/** Closes slices with the places as they ended, and their tasks if that was the last of them. Answers what was written. */
export async function closeSlices(
  context: WorkerContext,
  ends: readonly { readonly work: Work; readonly status: Buffer; readonly said?: readonly Said[] }[],
): Promise<ReadonlyMap<string, SliceWritten>> {
  const written = await writeAll(
    context,
    ends.map(({ work: { slice }, status, said = [] }) => ({
      held: slice,
      status,
      sent: noBits(slice.n),
      state: 'closed',
      nextInMs: 0,
      attempts: slice.attempts,
      said,
    })),
  );
  await noteClosed(
    context,
    ends.map(({ work }) => work.task),
  );
  return written;
}
