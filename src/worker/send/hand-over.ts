import {
  type ChildSlice,
  type MovingDevice,
  planHandOver,
  returnToInbox,
  triedChannelsOf,
} from '#src/domain/hand-over.ts';
import { nextRoute } from '#src/domain/routing.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { withLogouts } from '#src/domain/trace/trace-events.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import {
  insertSlices,
  lockSlice,
  type NewSlice,
  reopenSlice,
  type SliceWrite,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '../context.ts';
import { recordEnded, recordHandedOver } from '../record-metrics.ts';
import { cancelledWrite } from './cancel.ts';
import { deviceOfSameLogin, placeOf, readDevices, toRoutedDevice, type Work } from './work.ts';
import { addSentBits } from './write-slices.ts';

/**
 * Writes the outcome of a vendor's slice and moves the places it could not serve to their next channel. Both happen in
 * one commit, so that every place always belongs to a slice. A device has one place per task and channel. A device that
 * came from the Carillon channel therefore returns to its place there and waits in the inbox. A cancelled slice is only
 * closed. Returns the new slices, held by this worker.
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
    const device = deviceOfSameLogin(devices, place);
    if (!device) settledWrite.status[place.index] = placeStatus.skipped;
    const route = device && nextRoute(rules, toRoutedDevice(device), triedChannelsOf(slice));
    return route ? [{ ...place, route }] : [];
  });
  const loggedOutPlaces = places.filter((place) => !deviceOfSameLogin(devices, place)).map(({ index }) => index);
  const write = {
    ...settledWrite,
    historyEntries: withLogouts(settledWrite.historyEntries ?? [], loggedOutPlaces),
  };
  return (await commitHandOver(context, work, write, placesToMove, write.status)) ?? [];
}

/**
 * Commits the settled places of a slice together with the slices that its devices move to. If the task was cancelled,
 * no slices are added, and the places that are open in `statusIfCancelled` become *cancelled* instead. Returns the new
 * slices, held by this worker. Returns undefined if the task was cancelled or another worker has claimed the slice.
 */
export async function commitHandOver(
  context: WorkerContext,
  { slice, task }: Work,
  settledWrite: SliceWrite,
  devicesToMove: readonly MovingDevice[],
  statusIfCancelled: Buffer,
): Promise<Work[] | undefined> {
  const { children, returnedDeviceIds } = planHandOver(slice, devicesToMove);
  const newSlices = children.map((child) => toNewSlice(context, child));
  const nativeKey = { taskId: slice.taskId, bucket: slice.bucket, sliceNumber: slice.nativeSlice as number };
  let committedWrite: SliceWrite | undefined;
  const acquiredAtMs = performance.now();
  const insertedSlices = await inTransaction(context.storage.shards.dbFor(slice.bucket), async (db) => {
    // Both slices are locked in key order. The slice of the Carillon channel was created first.
    const native = returnedDeviceIds.size > 0 ? await lockSlice(db, nativeKey) : undefined;
    if (returnedDeviceIds.size > 0 && !native)
      throw new Error('The slice of the Carillon channel that these devices came from does not exist.');
    const [writtenRow] = await writeSlices(db, [settledWrite]);
    if (!writtenRow) return undefined;
    committedWrite = settledWrite;
    if (writtenRow.cancelled) {
      committedWrite = cancelledWrite({ ...settledWrite, status: statusIfCancelled }, writtenRow.received);
      await writeSlices(db, [committedWrite]);
      return undefined;
    }
    if (native) await reopenSlice(db, nativeKey, returnToInbox(native, returnedDeviceIds));
    return insertSlices(db, newSlices);
  });
  if (committedWrite) recordEnded([committedWrite]);
  else await addSentBits(context, [settledWrite]);
  if (insertedSlices) recordHandedOver(slice.channel, [...newSlices, ...returnedToNative(returnedDeviceIds.size)]);
  return insertedSlices?.map((child) => ({ slice: child, task, acquiredAtMs }));
}

/**
 * Returns the row to insert for a child slice. It is created with a lease, so that this worker continues with it
 * immediately.
 */
function toNewSlice(context: WorkerContext, child: ChildSlice): NewSlice {
  return {
    ...child,
    placeCount: child.deviceIds.length,
    deviceIds: child.deviceIds.join(','),
    generations: child.generations.join(','),
    state: 'leased',
    dueInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
  };
}

/** Returns the places that return to the Carillon channel, in the form that `recordHandedOver` requires. */
const returnedToNative = (placeCount: number): { channel: 'nativepush'; placeCount: number }[] =>
  placeCount > 0 ? [{ channel: 'nativepush', placeCount }] : [];
