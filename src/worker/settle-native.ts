import { noBits } from '#src/domain/bits.ts';
import { openPlaces, withArrivals } from '#src/domain/ledger.ts';
import { nextRoute } from '#src/domain/routing.ts';
import { isOpen, placeStatus } from '#src/domain/slice.ts';
import { inTransaction } from '#src/truth/database.ts';
import { type HeldSlice, insertSlices, type NewSlice, writeSlices } from '#src/truth/slices.ts';
import type { Work, WorkerContext } from './context.ts';
import { placeOf, readDevices, sameOwner, toRouted } from './devices.ts';
import { finishTasks } from './finish.ts';
import { childSlices } from './hand-over.ts';
import { sendVendor } from './send-vendor.ts';
import { waitInInbox } from './wait.ts';

/**
 * The time to acknowledge is over. Who answered is *sent*; silence decides the fallback: the next vendor, and where
 * there is none, the inbox.
 */
export async function settleNative(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const silent = works.flatMap((work) =>
    openPlaces(work.slice.status, work.slice.received).map((place) => placeOf(work, place)),
  );
  const devices = await readDevices(context.truth.shards, silent);
  const byWork = Map.groupBy(silent, ({ work }) => work);
  const children: Work[] = [];
  const waiting: Work[] = [];
  for (const work of works) {
    const { slice, task } = work;
    const rules = await context.accounts.rulesOf(task);
    const tried = new Set([...slice.tried, slice.channel]);
    const status = withArrivals(slice.status, slice.received);
    const routes = (byWork.get(work) ?? []).map((place) => {
      const device = sameOwner(devices, place);
      return { place, route: device && nextRoute(rules, toRouted(device), tried) };
    });
    for (const { place, route } of routes) {
      if (!route) status[place.place] = placeStatus.skipped;
      else if (route.waits) status[place.place] = placeStatus.waiting;
      else status[place.place] = route.channel === 'none' ? placeStatus.failed : placeStatus.fellBack;
    }
    const fellBack = routes.flatMap(({ place, route }) => (route && !route.waits ? [{ place, route }] : []));
    const held = await settle(context, slice, status, childSlices(context, work, fellBack));
    if (!held) continue; // someone else holds it by now and decides
    children.push(...held.map((child) => ({ slice: child, task })));
    if (status.some(isOpen)) waiting.push({ slice: { ...slice, status }, task });
  }
  await Promise.all([
    sendVendor(context, children),
    waitInInbox(context, waiting),
    finishTasks(context, closedTasks(works, waiting)),
  ]);
}

/** One commit: the slice's places as decided, and the slices its devices go on in. */
async function settle(
  context: WorkerContext,
  slice: HeldSlice,
  status: Buffer,
  children: readonly NewSlice[],
): Promise<HeldSlice[] | undefined> {
  const open = status.some(isOpen);
  return inTransaction(context.truth.shards.of(slice.shard), async (db) => {
    const written = await writeSlices(db, [
      {
        held: slice,
        status,
        sent: noBits(slice.n),
        state: open ? 'leased' : 'closed',
        nextInMs: open ? context.settings.CARILLON_LEASE_SECONDS * 1_000 : 0,
        attempts: slice.attempts,
      },
    ]);
    return written.length === 0 ? undefined : insertSlices(db, children);
  });
}

function closedTasks(works: readonly Work[], waiting: readonly Work[]): bigint[] {
  const open = new Set(waiting.map(({ task }) => task.taskId));
  return works.map(({ task }) => task.taskId).filter((taskId) => !open.has(taskId));
}
