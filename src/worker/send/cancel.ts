import { type Bits, noBits } from '#src/domain/bits.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import { applyCancel } from '#src/domain/settle.ts';
import { placeStatus, sliceDefect } from '#src/domain/slice.ts';
import type { TaskRange } from '#src/domain/task.ts';
import { cancelEvents } from '#src/domain/trace/trace-events.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import {
  cancelOpenTasks,
  cancelTaskInShards,
  findCancelledTasks,
  findDisabledApps,
} from '#src/storage/ledger/cancel.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import type { PlannedTask } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { taskIdsByDatabase } from '../pacing/group-by-database.ts';
import { closeSlices } from './finish.ts';
import { deleteFromInbox } from './inbox-places.ts';
import { logMissingTasks } from './missing-tasks.ts';
import { placeOf, type Work } from './work.ts';

/**
 * Closes slices whose task was cancelled. Their inbox rows, including those of acknowledged places, are deleted first,
 * because no later step finds these rows after the slice is closed.
 */
export async function cancelSlices(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const open = works
    .filter(({ slice }) => sliceDefect(slice) === undefined)
    .flatMap((work) =>
      openPlaces(work.slice.status, noBits(work.slice.placeCount)).map((place) => placeOf(work, place)),
    );
  await deleteFromInbox(context, open);
  await closeSlices(
    context,
    works.map((work) => {
      const { received, placeCount } = work.slice;
      const places = { status: withLength(work.slice.status, placeCount), received };
      return { work, status: applyCancel(places), events: cancelEvents(places) };
    }),
  );
}

/** Returns the status of a slice with one byte per place. Only that of an invalid slice has another length. */
function withLength(status: Buffer, placeCount: number): Buffer {
  if (status.length === placeCount) return status;
  const resized = Buffer.alloc(placeCount, placeStatus.planned);
  status.copy(resized);
  return resized;
}

/**
 * Closes the slices of tasks that were cancelled in the home database, and returns those that can be sent. Slices of
 * tasks that the home database does not have stay leased, and are postponed when they are claimed again.
 */
export async function closeCancelled(context: WorkerContext, works: readonly Work[]): Promise<readonly Work[]> {
  const { cancelled, missing } = await context.cancelChecks.findStopped(works.map(({ task }) => task.taskId));
  if (cancelled.size + missing.size === 0) return works;
  const slicesWithoutTask = works.filter(({ task }) => missing.has(task.taskId)).map(({ slice }) => slice);
  if (missing.size > 0) logMissingTasks(context, slicesWithoutTask);
  const cancelledWorks = works.filter(({ task }) => cancelled.has(task.taskId));
  await cancelSlices(context, cancelledWorks);
  return works.filter(({ task }) => !cancelled.has(task.taskId) && !missing.has(task.taskId));
}

/** Returns the write that closes a slice as cancelled. It replaces a worker's write that returned `cancelled`. */
export function cancelledWrite(write: SliceWrite, received: Bits): SliceWrite {
  const places = { status: write.status, received };
  const sent = noBits(received.length);
  return {
    ...write,
    status: applyCancel(places),
    sent,
    state: 'closed',
    dueInMs: 0,
    historyEntries: cancelEvents(places),
  };
}

/**
 * Propagates the cancellations of these tasks to the shards. The process that cancelled a task may have crashed before
 * it reached every bucket, or have run before the slices existed. `marks` contains results that the caller already has.
 */
export async function propagateCancels(
  { storage, independentWork }: WorkerContext,
  tasks: readonly PlannedTask[],
  marks: readonly { readonly taskId: bigint; readonly cancelled: boolean }[] = [],
): Promise<void> {
  const markedIds = new Set(marks.map(({ taskId }) => taskId));
  const unmarkedIds = tasks.filter(({ taskId }) => !markedIds.has(taskId)).map(({ taskId }) => taskId);
  const cancelledIds = unmarkedIds.length > 0 ? await findCancelledTasks(storage.home, unmarkedIds) : [];
  const cancelled = new Set([...cancelledIds, ...marks.flatMap((mark) => (mark.cancelled ? [mark.taskId] : []))]);
  const cancelledTasks = tasks.filter(({ taskId }) => cancelled.has(taskId));
  const cancelIn = async (db: ShardDb, taskIds: readonly bigint[]) => {
    for (const taskId of taskIds) await cancelTaskInShards(db, taskId);
  };
  await independentWork.settle(
    [...taskIdsByDatabase(storage.shards, cancelledTasks)].map(([db, taskIds]) => ({
      databases: [db],
      work: cancelIn(db, taskIds),
    })),
  );
}

/** A task that was accepted while its app was being disabled is committed well within this time. */
export const RECENTLY_DISABLED_SECONDS = 10 * 60;
/**
 * Maximum number of disabled apps, the most recently disabled first. Fewer apps than this are disabled within ten
 * minutes.
 */
const APPS_MAX = 1_000;
/**
 * Maximum number of tasks that are cancelled per sweep. More would delay other work; the next sweep cancels the rest.
 */
const TASKS_MAX = 1_000;

/** Cancels the open tasks of apps that were disabled within `withinSeconds`, or at any time if it is null. */
export async function cancelDisabledApps(
  { storage }: WorkerContext,
  taskRange: TaskRange,
  withinSeconds: number | null,
): Promise<void> {
  const appIds = await findDisabledApps(storage.home, withinSeconds, APPS_MAX);
  if (appIds.length > 0) await cancelOpenTasks(storage.home, appIds, TASKS_MAX, taskRange);
}
