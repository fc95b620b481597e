import { bucketOfDevice } from '#src/domain/device.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { byDatabase, type ShardDb } from '#src/storage/database/database.ts';
import { deleteInboxRows } from '#src/storage/devices/inbox.ts';
import type { WorkerContext } from '../context.ts';
import type { Place } from './work.ts';

/** Returns the key of a place's inbox row. */
export const inboxKey = ({ work, deviceId }: Place) => ({
  bucket: bucketOfDevice(deviceId),
  deviceId,
  taskId: work.slice.taskId,
});

/** Deletes the inbox rows of these places. Only places of the Carillon channel have inbox rows. */
export async function deleteFromInbox(context: WorkerContext, places: readonly Place[]): Promise<void> {
  const nativePlaces = places.filter(({ work }) => work.slice.channel === 'nativepush');
  await forEachDatabase(context, nativePlaces, (db, group) => deleteInboxRows(db, group.map(inboxKey)));
}

/** Runs `work` for each database with the places whose devices it contains. */
export async function forEachDatabase(
  { storage }: WorkerContext,
  places: readonly Place[],
  work: (db: ShardDb, places: readonly Place[]) => Promise<unknown>,
): Promise<void> {
  const groups = byDatabase(storage.shards, places, ({ deviceId }) => bucketOfDevice(deviceId));
  // All must end before the slices are released, because a late insert would outlast a cancellation.
  await settleAll([...groups].map(([db, group]) => work(db, group)));
}
