import { noBits } from '#src/domain/bits.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { type ClaimedExpansion, renewExpansion } from '#src/storage/ledger/expansions.ts';
import type { ClaimedSlice } from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '../context.ts';
import { writeSlicesOfAllShards } from './write-slices.ts';

/** Work without a task is checked again after this time, because an operator may restore the task. */
const POSTPONED_SECONDS = 10 * 60;
/** Maximum number of task IDs in a log entry. */
const LOGGED_TASKS_MAX = 20;

/**
 * Postpones slices whose task does not exist in the home database, and logs them. They cannot be sent without the
 * message. The home database has lost commits, or a shard database belongs to another installation.
 */
export async function postponeSlices(context: WorkerContext, slices: readonly ClaimedSlice[]): Promise<void> {
  if (slices.length === 0) return;
  logMissingTasks(context, slices);
  await writeSlicesOfAllShards(
    context,
    slices.map((slice) => ({
      claimed: slice,
      status: slice.status,
      sent: noBits(slice.placeCount),
      state: 'ready',
      dueInMs: POSTPONED_SECONDS * 1_000,
      attempts: slice.attempts,
    })),
  );
}

/** Postpones an expansion whose task does not exist in the home database, and logs it. */
export async function postponeExpansion(
  context: WorkerContext,
  db: ShardDb,
  expansion: ClaimedExpansion,
): Promise<void> {
  logMissingTasks(context, [expansion]);
  await renewExpansion(db, expansion, POSTPONED_SECONDS);
}

/** Logs work whose task does not exist in the home database, and removes the task from the cache. */
export function logMissingTasks(
  { taskCache, log }: WorkerContext,
  rows: readonly { readonly taskId: bigint; readonly bucket: number }[],
): void {
  const taskIds = [...new Set(rows.map(({ taskId }) => taskId))];
  for (const taskId of taskIds) taskCache.delete(taskId);
  log.error('task-missing', {
    tasks: taskIds.length,
    rows: rows.length,
    taskIds: taskIds.slice(0, LOGGED_TASKS_MAX).map(String),
    bucket: rows[0]?.bucket,
  });
}
