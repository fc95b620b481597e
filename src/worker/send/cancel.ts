import { type Bits, noBits } from '#src/domain/bits.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import { afterCancel } from '#src/domain/settle.ts';
import { saidOfCancel } from '#src/domain/trace/trace-events.ts';
import { cancelOpenTasks, cancelShard, findCancelled, findShutApps } from '#src/storage/ledger/cancel.ts';
import type { SliceWrite } from '#src/storage/ledger/slices.ts';
import type { PlannedTask, TaskRange } from '#src/storage/ledger/tasks.ts';
import type { Work, WorkerContext } from '../context.ts';
import { tasksByDatabase } from '../pacing/group-by-database.ts';
import { closeSlices } from './finish.ts';
import { takeOutOfInbox } from './inbox-places.ts';
import { placeOf } from './work.ts';

/**
 * Ends slices whose task was cancelled. Their messages leave the inboxes first, those that have arrived as well: once the
 * slice is closed nobody would look for them again.
 */
export async function cancelSlices(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const open = works.flatMap((work) =>
    openPlaces(work.slice.status, noBits(work.slice.n)).map((place) => placeOf(work, place)),
  );
  await takeOutOfInbox(context, open);
  await closeSlices(
    context,
    works.map((work) => ({ work, status: afterCancel(work.slice), said: saidOfCancel(work.slice) })),
  );
}

/** What a holder writes instead when its own commit tells that the task was cancelled. */
export function cancelledWrite(write: SliceWrite, received: Bits): SliceWrite {
  const held = { status: write.status, received };
  const sent = noBits(received.length);
  return { ...write, status: afterCancel(held), sent, state: 'closed', nextInMs: 0, said: saidOfCancel(held) };
}

/**
 * Carries the word to the shards for those of the tasks that were cancelled. Whoever cancelled may have died before
 * saying it everywhere, or have said it before the slices were there. `told`: what is known of some.
 */
export async function spreadCancels(
  { truth }: WorkerContext,
  tasks: readonly PlannedTask[],
  told: readonly { readonly taskId: bigint; readonly cancelled: boolean }[] = [],
): Promise<void> {
  const heard = new Set(told.map(({ taskId }) => taskId));
  const unheard = tasks.filter(({ taskId }) => !heard.has(taskId)).map(({ taskId }) => taskId);
  const found = unheard.length > 0 ? await findCancelled(truth.home, unheard) : [];
  const cancelled = new Set([...found, ...told.flatMap((one) => (one.cancelled ? [one.taskId] : []))]);
  const stopped = tasks.filter(({ taskId }) => cancelled.has(taskId));
  for (const [db, taskIds] of tasksByDatabase(truth.shards, stopped))
    for (const taskId of taskIds) await cancelShard(db, taskId);
}

/** What was accepted just when its app was shut is committed long before this has passed. */
export const SHUT_LATELY_SECONDS = 10 * 60;
/** More apps than are shut in ten minutes. */
const APPS_MAX = 1_000;
/** The rest is for the next sweep: it would keep this one from other work. */
const TASKS_MAX = 1_000;

/** Cancels what is open of apps that were shut within so many seconds, or ever. */
export async function cancelShutApps(
  { truth }: WorkerContext,
  taskRange: TaskRange,
  withinSeconds: number | null,
): Promise<void> {
  const appIds = await findShutApps(truth.home, withinSeconds, APPS_MAX);
  if (appIds.length > 0) await cancelOpenTasks(truth.home, appIds, TASKS_MAX, taskRange);
}
