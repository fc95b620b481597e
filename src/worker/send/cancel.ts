import { type Bits, noBits } from '#src/domain/bits.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import { applyCancel } from '#src/domain/settle.ts';
import type { TaskRange } from '#src/domain/task.ts';
import { cancelEvents } from '#src/domain/trace/trace-events.ts';
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
import { placeOf, type Work } from './work.ts';

/**
 * Ends slices whose task was cancelled. Their messages leave the inboxes first, those that have arrived as well: once the
 * slice is closed nobody would look for them again.
 */
export async function cancelSlices(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const open = works.flatMap((work) =>
    openPlaces(work.slice.status, noBits(work.slice.placeCount)).map((place) => placeOf(work, place)),
  );
  await deleteFromInbox(context, open);
  await closeSlices(
    context,
    works.map((work) => ({ work, status: applyCancel(work.slice), events: cancelEvents(work.slice) })),
  );
}

/** What a holder writes instead when its own commit tells that the task was cancelled. */
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
 * Carries the word to the shards for those of the tasks that were cancelled. Whoever cancelled may have died before
 * saying it everywhere, or have said it before the slices were there. `told`: what is known of some.
 */
export async function propagateCancels(
  { storage }: WorkerContext,
  tasks: readonly PlannedTask[],
  marks: readonly { readonly taskId: bigint; readonly cancelled: boolean }[] = [],
): Promise<void> {
  const markedIds = new Set(marks.map(({ taskId }) => taskId));
  const unmarkedIds = tasks.filter(({ taskId }) => !markedIds.has(taskId)).map(({ taskId }) => taskId);
  const cancelledIds = unmarkedIds.length > 0 ? await findCancelledTasks(storage.home, unmarkedIds) : [];
  const cancelled = new Set([...cancelledIds, ...marks.flatMap((mark) => (mark.cancelled ? [mark.taskId] : []))]);
  const cancelledTasks = tasks.filter(({ taskId }) => cancelled.has(taskId));
  for (const [db, taskIds] of taskIdsByDatabase(storage.shards, cancelledTasks))
    for (const taskId of taskIds) await cancelTaskInShards(db, taskId);
}

/** What was accepted just when its app was shut is committed long before this has passed. */
export const RECENTLY_DISABLED_SECONDS = 10 * 60;
/** More apps than are shut in ten minutes. */
const APPS_MAX = 1_000;
/** The rest is for the next sweep: it would keep this one from other work. */
const TASKS_MAX = 1_000;

/** Cancels what is open of apps that were shut within so many seconds, or ever. */
export async function cancelDisabledApps(
  { storage }: WorkerContext,
  taskRange: TaskRange,
  withinSeconds: number | null,
): Promise<void> {
  const appIds = await findDisabledApps(storage.home, withinSeconds, APPS_MAX);
  if (appIds.length > 0) await cancelOpenTasks(storage.home, appIds, TASKS_MAX, taskRange);
}
