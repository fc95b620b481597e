import { nextRoute, type Route } from '#src/domain/routing.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { inTransaction, type ShardDb } from '#src/truth/database.ts';
import {
  type HeldSlice,
  insertSlices,
  lockSlice,
  type NewSlice,
  reopenSlice,
  type SliceWrite,
  writeSlices,
} from '#src/truth/slices.ts';
import type { Work, WorkerContext } from './context.ts';
import { type Place, placeOf, readDevices, sameOwner, toRouted } from './devices.ts';

interface RoutedPlace {
  readonly place: Place;
  readonly route: Route;
}

/** The slices in which places go on: one per channel, born leased so that this worker goes on with them at once. */
export function childSlices(context: WorkerContext, { slice }: Work, places: readonly RoutedPlace[]): NewSlice[] {
  const channels = Map.groupBy(places, ({ route }) => route.channel);
  channels.delete('none');
  return [...channels.values()].map((group) => {
    const { route } = group[0] as RoutedPlace;
    return {
      taskId: slice.taskId,
      shard: slice.shard,
      appId: slice.appId,
      channel: route.channel,
      lane: slice.lane,
      state: 'leased',
      nextInMs: context.settings.CARILLON_LEASE_SECONDS * 1_000,
      tried: [...slice.tried, slice.channel],
      nativeSlice: slice.channel === 'nativepush' ? slice.slice : slice.nativeSlice,
      status: Buffer.alloc(group.length, route.waits ? placeStatus.waiting : placeStatus.planned),
      deviceIds: group.map(({ place }) => place.deviceId),
      generations: group.map(({ place }) => place.generation),
    };
  });
}

/**
 * Writes what came of a vendor's slice and hands the places it could not serve to their next channel, in one commit, so
 * that no place is ever between two slices. A device has one place per task and channel: one that came from the own
 * channel goes back to its place there and waits in the inbox. Answers the new slices, held by this worker.
 */
export async function handOver(
  context: WorkerContext,
  work: Work,
  write: SliceWrite,
  unserved: readonly number[],
): Promise<Work[]> {
  const { slice, task } = work;
  const places = unserved.map((place) => placeOf(work, place));
  const devices = await readDevices(context.truth.shards, places);
  const rules = await context.accounts.rulesOf(task);
  const tried = new Set([...slice.tried, slice.channel]);
  const routed = places.flatMap((place) => {
    const device = sameOwner(devices, place);
    if (!device) write.status[place.place] = placeStatus.skipped;
    return device ? [{ place, route: nextRoute(rules, toRouted(device), tried) }] : [];
  });
  const returns = (r: RoutedPlace) => r.route.channel === 'nativepush' && slice.nativeSlice !== null;
  const back = routed.filter(returns).map(({ place }) => place.deviceId);
  const children = childSlices(
    context,
    work,
    routed.filter((r) => !returns(r)),
  );

  const held = await inTransaction(context.truth.shards.of(slice.shard), async (db) => {
    // Both slices are locked in the order of their keys; the own channel's came first.
    if (back.length > 0) await returnToInbox(db, slice, new Set(back));
    const written = await writeSlices(db, [write]);
    if (written.length === 0) throw new LostLease();
    return insertSlices(db, children);
  }).catch((error: unknown) => {
    if (error instanceof LostLease) return [];
    throw error;
  });
  return held.map((child) => ({ slice: child, task }));
}

/** Someone else holds the slice by now: nothing of this commit may stand. */
class LostLease extends Error {}

async function returnToInbox(db: ShardDb, slice: HeldSlice, deviceIds: ReadonlySet<bigint>): Promise<void> {
  const key = { taskId: slice.taskId, shard: slice.shard, slice: slice.nativeSlice as number };
  const native = await lockSlice(db, key);
  if (!native) throw new Error('The slice that these devices came from is gone.');
  const status = Buffer.from(native.status);
  native.deviceIds.forEach((deviceId, place) => {
    if (deviceIds.has(deviceId) && status[place] === placeStatus.fellBack) status[place] = placeStatus.waiting;
  });
  await reopenSlice(db, key, status);
}
