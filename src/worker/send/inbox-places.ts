import { shardOfDevice } from '#src/domain/device.ts';
import { byDatabase, type ShardDb } from '#src/storage/database/database.ts';
import { deleteInbox } from '#src/storage/devices/inbox.ts';
import type { WorkerContext } from '../context.ts';
import type { Place } from './work.ts';

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
