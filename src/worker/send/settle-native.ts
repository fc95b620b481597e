import { noBits } from '#src/domain/bits.ts';
import { handOverOf, triedWith } from '#src/domain/hand-over.ts';
import { nextRoute } from '#src/domain/routing.ts';
import { afterSilence } from '#src/domain/settle.ts';
import { isOpen } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import { type Said, saidOfSilence } from '#src/domain/trace/trace-events.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import {
  type HeldSlice,
  insertSlices,
  type NewSlice,
  type SliceWrite,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import type { Work, WorkerContext } from '../context.ts';
import { settleAll } from '../pacing/group-by-database.ts';
import { countEnded, countHandedOver } from '../upkeep/record-metrics.ts';
import { cancelledWrite } from './cancel.ts';
import { closeSlices, noteClosed } from './finish.ts';
import { toNewSlice } from './hand-over.ts';
import { sendVendor } from './send-vendor.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import { openPlacesOf, type Place, readDevices, sameOwner, toRouted } from './work.ts';

/**
 * The time to acknowledge is over. Who answered is *sent*; silence decides the fallback: the next vendor, and where
 * there is none, the inbox.
 */
export async function settleNative(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const silent = openPlacesOf(works);
  const withSilent = new Set(silent.map(({ work }) => work));
  await settleAll([
    settleSilent(context, [...withSilent], silent),
    closeAnswered(
      context,
      works.filter((work) => !withSilent.has(work)),
    ),
  ]);
}

/** Everybody of them has answered: they are closed together. */
async function closeAnswered(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  await closeSlices(
    context,
    works.map((work) => ({ work, status: afterSilence(work.slice, new Map()) })),
  );
}

async function settleSilent(context: WorkerContext, works: readonly Work[], silent: readonly Place[]): Promise<void> {
  if (works.length === 0) return;
  const devices = await readDevices(context.truth.shards, silent);
  const byWork = Map.groupBy(silent, ({ work }) => work);
  const children: Work[] = [];
  const waiting: Work[] = [];
  for (const work of works) {
    const { slice, task } = work;
    const rules = await context.accounts.rulesOf(task);
    const routes = (byWork.get(work) ?? []).map((place) => {
      const device = sameOwner(devices, place);
      return { ...place, route: device && nextRoute(rules, toRouted(device), triedWith(slice)) };
    });
    const routeOf = new Map(routes.map(({ place, route }) => [place, route]));
    const status = afterSilence(slice, routeOf);
    const said = saidOfSilence(slice, routeOf, context.settings.CARILLON_ACKNOWLEDGE_SECONDS);
    const movers = routes.flatMap(({ route, ...place }) => (route && !route.waits ? [{ ...place, route }] : []));
    const newSlices = handOverOf(slice, movers).children.map((child) => toNewSlice(context, child));
    const heldSinceMs = performance.now();
    const held = await settle(context, work, { status, said }, newSlices);
    if (!held) continue; // someone else holds it by now and decides, or it was cancelled
    children.push(...held.map((child) => ({ slice: child, task, heldSinceMs })));
    if (status.some(isOpen)) waiting.push({ slice: { ...slice, status }, task, heldSinceMs });
  }
  await Promise.all([
    sendVendor(context, children),
    waitInInbox(context, waiting),
    noteClosed(context, closedTasks(works, waiting)),
  ]);
}

/** One commit: the slice's places as decided, and the slices its devices go on in; none, if the task was cancelled. */
async function settle(
  context: WorkerContext,
  work: Work,
  { status, said }: { readonly status: Buffer; readonly said: readonly Said[] },
  children: readonly NewSlice[],
): Promise<HeldSlice[] | undefined> {
  const { slice } = work;
  const open = status.some(isOpen);
  const write: SliceWrite = {
    held: slice,
    status,
    sent: noBits(slice.n),
    state: open ? 'leased' : 'closed',
    nextInMs: open ? context.settings.CARILLON_LEASE_SECONDS * 1_000 : 0,
    attempts: slice.attempts,
    said,
  };
  let final: SliceWrite | undefined;
  const made = await inTransaction(context.truth.shards.of(slice.shard), async (db) => {
    const [written] = await writeSlices(db, [write]);
    if (!written) return undefined;
    final = write;
    if (!written.cancelled) return insertSlices(db, children);
    final = cancelledWrite({ ...write, status: slice.status }, written.received);
    await writeSlices(db, [final]);
    return undefined;
  });
  if (final) countEnded([final]);
  if (made) countHandedOver(slice.channel, children);
  return made;
}

function closedTasks(works: readonly Work[], waiting: readonly Work[]): Task[] {
  const open = new Set(waiting.map(({ task }) => task.taskId));
  return works.map(({ task }) => task).filter(({ taskId }) => !open.has(taskId));
}
