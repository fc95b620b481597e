import { noBits } from '#src/domain/bits.ts';
import { triedChannelsOf } from '#src/domain/hand-over.ts';
import { nextRoute } from '#src/domain/routing.ts';
import { applyAckTimeout } from '#src/domain/settle.ts';
import { isOpen } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import { ackTimeoutEvents, type TraceEvent } from '#src/domain/trace/trace-events.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import type { ClaimedSlice, SliceWrite } from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '../context.ts';
import { isOwnFailure } from '../pacing/failed-work.ts';
import { closeSlices, handleClosedSlices } from './finish.ts';
import { commitHandOver } from './hand-over.ts';
import { sendVendor } from './send-vendor.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import { deviceOfSameLogin, openPlacesOf, type Place, readDevices, toRoutedDevice, type Work } from './work.ts';

/**
 * Settles slices whose acknowledgement timeout has passed. Acknowledged places become *sent*. The others fall back to
 * the next vendor, or to the inbox if there is none.
 */
export async function settleNative(context: WorkerContext, works: readonly Work[]): Promise<void> {
  const unacknowledged = openPlacesOf(works);
  const worksWithUnacknowledged = new Set(unacknowledged.map(({ work }) => work));
  await settleAll([
    settleUnacknowledged(context, [...worksWithUnacknowledged], unacknowledged),
    closeAcknowledged(
      context,
      works.filter((work) => !worksWithUnacknowledged.has(work)),
    ),
  ]);
}

/** Closes slices in which every device has acknowledged, in one write per database. */
async function closeAcknowledged(context: WorkerContext, works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  await closeSlices(
    context,
    works.map((work) => ({ work, status: applyAckTimeout(work.slice, new Map()) })),
  );
}

async function settleUnacknowledged(
  context: WorkerContext,
  works: readonly Work[],
  unacknowledged: readonly Place[],
): Promise<void> {
  if (works.length === 0) return;
  const devices = await readDevices(context.storage.shards, unacknowledged);
  const byWork = Map.groupBy(unacknowledged, ({ work }) => work);
  const children: Work[] = [];
  const waiting: Work[] = [];
  let failure: { readonly error: unknown } | undefined;
  const settle = async (work: Work) => {
    const { slice, task } = work;
    const rules = await context.accounts.routeRulesOf(task);
    const routes = (byWork.get(work) ?? []).map((place) => {
      const device = deviceOfSameLogin(devices, place);
      return { ...place, route: device && nextRoute(rules, toRoutedDevice(device), triedChannelsOf(slice)) };
    });
    const routeOf = new Map(routes.map(({ index, route }) => [index, route]));
    const status = applyAckTimeout(slice, routeOf);
    const events = ackTimeoutEvents(slice, routeOf, context.settings.CARILLON_ACKNOWLEDGE_SECONDS);
    const placesToMove = routes.flatMap(({ route, ...place }) =>
      route && !route.toInbox ? [{ ...place, route }] : [],
    );
    const write = toSettledWrite(context, slice, status, events);
    const acquiredAtMs = performance.now();
    const newWorks = await commitHandOver(context, work, write, placesToMove, slice.status);
    if (!newWorks) return; // another worker has claimed the slice, or the task was cancelled
    children.push(...newWorks);
    if (status.some(isOpen)) waiting.push({ slice: { ...slice, status }, task, acquiredAtMs });
  };
  for (const work of works)
    try {
      await settle(work);
    } catch (error) {
      failure ??= { error };
      if (!isOwnFailure(error)) break;
    }
  await settleAll([
    sendVendor(context, children),
    waitInInbox(context, waiting),
    handleClosedSlices(context, closedTasks(works, waiting)),
  ]);
  if (failure) throw failure.error;
}

/** Returns the write that settles a slice. A slice with places that wait in the inbox stays open, with a new lease. */
function toSettledWrite(
  { settings }: WorkerContext,
  slice: ClaimedSlice,
  status: Buffer,
  events: readonly TraceEvent[],
): SliceWrite {
  const open = status.some(isOpen);
  return {
    claimed: slice,
    status,
    sent: noBits(slice.placeCount),
    state: open ? 'leased' : 'closed',
    dueInMs: open ? settings.CARILLON_LEASE_SECONDS * 1_000 : 0,
    attempts: slice.attempts,
    historyEntries: events,
  };
}

function closedTasks(works: readonly Work[], waiting: readonly Work[]): Task[] {
  const open = new Set(waiting.map(({ task }) => task.taskId));
  return works.map(({ task }) => task).filter(({ taskId }) => !open.has(taskId));
}
