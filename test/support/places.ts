import { placeStatus, type SliceChannel } from '#src/domain/slice.ts';
import { readPlaceEvents, type TraceCode } from '#src/domain/trace/trace-events.ts';
import type { Storage } from '#src/storage/database/database.ts';

/** A device on one channel of a task, as stored in the ledger. */
export interface LedgerPlace {
  readonly channel: SliceChannel;
  readonly deviceId: bigint;
  readonly bucket: number;
  readonly sliceNumber: number;
  readonly index: number;
  readonly epoch: number;
  readonly sliceState: string;
  readonly status: number;
}

/** Returns the key of a place. A device has one place per task and channel. */
export const placeKey = ({ channel, deviceId }: Pick<LedgerPlace, 'channel' | 'deviceId'>): string =>
  `${channel} ${deviceId}`;

const sliceKey = ({ bucket, sliceNumber }: Pick<LedgerPlace, 'bucket' | 'sliceNumber'>): string =>
  `${bucket}.${sliceNumber}`;

/** Returns all places of a task from all databases. */
export async function readPlaces({ shards }: Storage, taskId: bigint): Promise<LedgerPlace[]> {
  const rows = await Promise.all(
    shards.all.map((db) =>
      db.query<LedgerPlace>(
        `select s.channel, d.device_id as "deviceId", s.bucket, s.slice as "sliceNumber", d.number::int - 1 as index,
                s.epoch, s.state as "sliceState", get_byte(s.status, d.number::int - 1) as status
           from slices s join slice_targets t using (task_id, bucket, slice),
                unnest(t.device_ids) with ordinality as d (device_id, number)
          where s.task_id = $1`,
        [taskId],
      ),
    ),
  );
  return rows.flat();
}

/**
 * Returns the places for which a vendor call is in progress, or was in progress when the worker crashed. No result is
 * stored for these places.
 */
export async function findUnconfirmedPlaces(storage: Storage, taskId: bigint): Promise<LedgerPlace[]> {
  return (await readPlaces(storage, taskId)).filter(
    ({ channel, sliceState, status }) =>
      channel !== 'nativepush' && sliceState === 'leased' && status === placeStatus.attempting,
  );
}

/** Returns the places whose slice has been claimed again. Only these can have been sent twice. */
export async function findReclaimedPlaces(
  storage: Storage,
  taskId: bigint,
  unconfirmed: readonly LedgerPlace[],
): Promise<LedgerPlace[]> {
  const epochs = new Map((await readPlaces(storage, taskId)).map((place) => [sliceKey(place), place.epoch]));
  return unconfirmed.filter((place) => (epochs.get(sliceKey(place)) as number) > place.epoch);
}

/** Returns the trace codes of each place of a task, in order, by its key. */
export async function readTraces(storage: Storage, taskId: bigint): Promise<Map<string, TraceCode[]>> {
  const rows = await Promise.all(
    storage.shards.all.map((db) =>
      db.query<{ bucket: number; sliceNumber: number; history: string[] }>(
        'select bucket, slice as "sliceNumber", history from slices where task_id = $1',
        [taskId],
      ),
    ),
  );
  const histories = new Map(rows.flat().map((row) => [sliceKey(row), row.history]));
  const places = await readPlaces(storage, taskId);
  return new Map(
    places.map((place) => {
      const entries = readPlaceEvents(histories.get(sliceKey(place)) ?? [], place.index);
      return [placeKey(place), entries.map(({ code }) => code)];
    }),
  );
}
