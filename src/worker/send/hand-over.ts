import { type ChildSlice, planHandOver, returnToInbox, triedChannelsOf } from '#src/domain/hand-over.ts';
import { nextRoute } from '#src/domain/routing.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { withOwnerChanges } from '#src/domain/trace/trace-events.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import {
  insertSlices,
  lockSlice,
  type NewSlice,
  reopenSlice,
  type SliceWrite,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import { addSentBits, type Work, type WorkerContext } from '../context.ts';
import { recordEnded, recordHandedOver } from '../upkeep/record-metrics.ts';
import { cancelledWrite } from './cancel.ts';
import { deviceOfSameOwner, placeOf, readDevices, toRoutedDevice } from './work.ts';

/** Children are born leased, so that the worker that made them goes on with them at once. */
export function toNewSlice(context: WorkerContext, child: ChildSlice): NewSlice {
  return {
    ...child,
    placeCount: child.deviceIds.length,
    deviceIds: child.deviceIds.join(','),
    generations: child.generations.join(','),
    state: 'leased',
    dueInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
  };
}

/**
 * Writes what came of a vendor's slice and hands the places it could not serve to their next channel, in one commit, so
 * that no place is ever between two slices. A device has one place per task and channel: one that came from the own
 * channel goes back to its place there and waits in the inbox. A cancelled slice is just closed. Answers the new slices,
 * held by this worker.
 */
export async function handOver(
  context: WorkerContext,
  work: Work,
  settledWrite: SliceWrite,
  toHandOver: readonly number[],
): Promise<Work[]> {
  const { slice, task } = work;
  const places = toHandOver.map((place) => placeOf(work, place));
  const devices = await readDevices(context.storage.shards, places);
  const rules = await context.accounts.routeRulesOf(task);
  const placesToMove = places.flatMap((place) => {
    const device = deviceOfSameOwner(devices, place);
    if (!device) settledWrite.status[place.index] = placeStatus.skipped;
    const route = device && nextRoute(rules, toRoutedDevice(device), triedChannelsOf(slice));
    return route ? [{ ...place, route }] : [];
  });
  const changedOwnerPlaces = places.filter((place) => !deviceOfSameOwner(devices, place)).map(({ index }) => index);
  const write = {
    ...settledWrite,
    historyEntries: withOwnerChanges(settledWrite.historyEntries ?? [], changedOwnerPlaces),
  };
  const { children, returnedDeviceIds: returnedToInbox } = planHandOver(slice, placesToMove);
  const nativeKey = { taskId: slice.taskId, shard: slice.shard, sliceNumber: slice.nativeSlice as number };

  const newSlices = children.map((child) => toNewSlice(context, child));
  let finalWrite: SliceWrite = write;
  const acquiredAtMs = performance.now();
  const insertedSlices = await inTransaction(context.storage.shards.dbFor(slice.shard), async (db) => {
    // Both slices are locked in the order of their keys; the own channel's came first.
    const native = returnedToInbox.size > 0 ? await lockSlice(db, nativeKey) : undefined;
    if (returnedToInbox.size > 0 && !native) throw new Error('The slice that these devices came from is gone.');
    const [writtenRow] = await writeSlices(db, [write]);
    if (!writtenRow) return undefined; // someone else holds it by now and decides
    if (writtenRow.cancelled) {
      finalWrite = cancelledWrite(write, writtenRow.received);
      await writeSlices(db, [finalWrite]);
      return [];
    }
    if (native) await reopenSlice(db, nativeKey, returnToInbox(native, returnedToInbox));
    return insertSlices(db, newSlices);
  });
  if (insertedSlices) {
    recordEnded([finalWrite]);
    if (finalWrite === write)
      recordHandedOver(slice.channel, [...newSlices, ...returnedToNative(returnedToInbox.size)]);
  } else await addSentBits(context, [write]);
  return (insertedSlices ?? []).map((child) => ({ slice: child, task, acquiredAtMs }));
}

/** Those that go back to their places on the own channel. */
const returnedToNative = (placeCount: number): { channel: 'nativepush'; placeCount: number }[] =>
  placeCount > 0 ? [{ channel: 'nativepush', placeCount }] : [];
