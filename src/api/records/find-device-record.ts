import { bucketOfPushToken } from '#src/domain/device.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { type DeviceRecord, findRecordByPushToken } from '#src/storage/devices/device-records.ts';

/** Returns the device with this push token. A device on which no user is logged in is not found. */
export async function findDeviceRecord(
  { shards }: Pick<Storage, 'shards'>,
  appId: string,
  pushToken: string,
): Promise<DeviceRecord | undefined> {
  const bucket = bucketOfPushToken(pushToken);
  if (bucket === undefined) return undefined;
  return findRecordByPushToken(shards.dbFor(bucket), { appId, bucket, pushToken });
}
