import { backToInbox, type Child, handOverOf, triedWith } from '#src/domain/hand-over.ts';
import { nextRoute } from '#src/domain/routing.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { withChangedHands } from '#src/domain/trace/trace-events.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import {
  insertSlices,
  lockSlice,
  type NewSlice,
  reopenSlice,
  type SliceWrite,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import { keepSent, type Work, type WorkerContext } from '../context.ts';
import { countEnded, countHandedOver } from '../upkeep/record-metrics.ts';
import { cancelledWrite } from './cancel.ts';
import { placeOf, readDevices, sameOwner, toRouted } from './work.ts';

/** Children are born leased, so that the worker that made them goes on with them at once. */
export function toNewSlice(context: WorkerContext, child: Child): NewSlice {
  return {
    ...child,
    n: child.deviceIds.length,
    deviceIds: child.deviceIds.join(','),
    generations: child.generations.join(','),
    state: 'leased',
    nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
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
  outcome: SliceWrite,
  unserved: readonly number[],
): Promise<Work[]> {
  const { slice, task } = work;
  const places = unserved.map((place) => placeOf(work, place));
  const devices = await readDevices(context.truth.shards, places);
  const rules = await context.accounts.rulesOf(task);
  const movers = places.flatMap((place) => {
    const device = sameOwner(devices, place);
    if (!device) outcome.status[place.place] = placeStatus.skipped;
    const route = device && nextRoute(rules, toRouted(device), triedWith(slice));
    return route ? [{ ...place, route }] : [];
  });
  const gone = places.filter((place) => !sameOwner(devices, place)).map(({ place }) => place);
  const write = { ...outcome, said: withChangedHands(outcome.said ?? [], gone) };
  const { children, back } = handOverOf(slice, movers);
  const nativeKey = { taskId: slice.taskId, shard: slice.shard, slice: slice.nativeSlice as number };

  const newSlices = children.map((child) => toNewSlice(context, child));
  let final: SliceWrite = write;
  const heldSinceMs = performance.now();
  const held = await inTransaction(context.truth.shards.of(slice.shard), async (db) => {
    // Both slices are locked in the order of their keys; the own channel's came first.
    const native = back.size > 0 ? await lockSlice(db, nativeKey) : undefined;
    if (back.size > 0 && !native) throw new Error('The slice that these devices came from is gone.');
    const [written] = await writeSlices(db, [write]);
    if (!written) return undefined; // someone else holds it by now and decides
    if (written.cancelled) {
      final = cancelledWrite(write, written.received);
      await writeSlices(db, [final]);
      return [];
    }
    if (native) await reopenSlice(db, nativeKey, backToInbox(native, back));
    return insertSlices(db, newSlices);
  });
  if (held) {
    countEnded([final]);
    if (final === write) countHandedOver(slice.channel, [...newSlices, ...backTo(back.size)]);
  } else await keepSent(context, [write]);
  return (held ?? []).map((child) => ({ slice: child, task, heldSinceMs }));
}

/** Those that go back to their places on the own channel. */
const backTo = (n: number): { channel: 'nativepush'; n: number }[] => (n > 0 ? [{ channel: 'nativepush', n }] : []);
