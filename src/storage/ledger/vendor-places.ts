import type { VendorName } from '#src/domain/channel.ts';
import { placeStatus, type SliceKey } from '#src/domain/slice.ts';
import { rangeOfTaskIds } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';

/** Returns the devices that vendor tokens belong to or last belonged to, by the token's hash in hex. */
export async function findVendorTokenOwners(
  db: HomeDb,
  { appId, channel }: { readonly appId: string; readonly channel: VendorName },
  tokenHashes: readonly Buffer[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.query<{ hash: string; deviceId: bigint }>(
    `select encode(token_hash, 'hex') as hash, device_id as "deviceId"
       from vendor_token_owners where app_id = $1 and channel = $2 and token_hash = any($3::bytea[])`,
    [appId, channel, tokenHashes],
  );
  return new Map(rows.map(({ hash, deviceId }) => [hash, deviceId]));
}

export interface DeviceInSlice extends SliceKey {
  readonly deviceId: bigint;
}

/**
 * Returns the places of devices in slices of a vendor, if they exist and are no longer *planned*. The current owner of
 * the device does not matter, because the receipt is about a past delivery.
 */
export async function findVendorPlaces(
  db: ShardDb,
  { appId, channel }: { readonly appId: string; readonly channel: VendorName },
  devices: readonly DeviceInSlice[],
): Promise<(DeviceInSlice & { readonly index: number; readonly placeCount: number })[]> {
  return db.query(
    `select "taskId", bucket, slice as "sliceNumber", n as "placeCount", place as index, "deviceId" from (
       select s.task_id as "taskId", s.bucket, s.slice, s.n, s.status, a.device_id as "deviceId",
              array_position(t.device_ids, a.device_id) - 1 as place
         from unnest($1::bigint[], $2::smallint[], $3::int[], $4::bigint[]) as a (task_id, bucket, slice, device_id)
         join slices s using (task_id, bucket, slice)
         join slice_targets t using (task_id, bucket, slice)
        where s.app_id = $5 and s.channel = $6 and s.task_id between $7 and $8 and t.task_id between $7 and $8
     ) as found
      where place is not null and get_byte(status, place) <> ${placeStatus.planned}`,
    [
      devices.map(({ taskId }) => taskId),
      devices.map(({ bucket }) => bucket),
      devices.map(({ sliceNumber }) => sliceNumber),
      devices.map(({ deviceId }) => deviceId),
      appId,
      channel,
      ...rangeOfTaskIds(devices.map(({ taskId }) => taskId)),
    ],
  );
}
