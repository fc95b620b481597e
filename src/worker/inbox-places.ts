import { shardOfDevice } from '#src/domain/device.ts';
import { openPlaces } from '#src/domain/ledger.ts';
import { byDatabase, type ShardDb } from '#src/truth/database.ts';
import { deleteInbox } from '#src/truth/inbox.ts';
import type { Work, WorkerContext } from './context.ts';
import { type Place, placeOf } from './devices.ts';

/** The places that are open and have not answered. */
export function waitingPlaces(works: readonly Work[]): Place[] {
  return works.flatMap((work) =>
    openPlaces(work.slice.status, work.slice.received).map((place) => placeOf(work, place)),
  );
}

/** The key of a place's message in its device's inbox. */
export const inboxKey = ({ work, deviceId }: Place) => ({
  shard: shardOfDevice(deviceId),
  deviceId,
  taskId: work.slice.taskId,
});

/** Own-channel places only: the others have nothing there. */
export async function takeOutOfInbox(context: WorkerContext, places: readonly Place[]): Promise<void> {
  const native = places.filter(({ work }) => work.slice.channel === 'nativepush');
  await inEachDatabase(context, native, (db, group) => deleteInbox(db, group.map(inboxKey)));
}

/** Places by the database that their devices are in. */
export async function inEachDatabase(
  { truth }: WorkerContext,
  places: readonly Place[],
  work: (db: ShardDb, places: readonly Place[]) => Promise<unknown>,
): Promise<void> {
  const groups = byDatabase(truth.shards, places, ({ deviceId }) => shardOfDevice(deviceId));
  await Promise.all([...groups].map(([db, group]) => work(db, group)));
}
