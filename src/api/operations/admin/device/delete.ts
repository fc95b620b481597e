import type { Static } from 'typebox';
import { adminDeviceDelete } from '#src/contract/admin/device/delete.ts';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { type DeviceRecord, findRecordsByGuid } from '#src/storage/devices/device-records.ts';
import type { Route } from '../../../context.ts';
import { requireOneOf } from '../../../http/require-one-of.ts';
import { eraseDevices } from '../../../logins/release-devices.ts';
import { findDeviceRecord } from '../../../records/find-device-record.ts';

/** Devices that are erased together. A device ID that an app uses on all phones has a device for each user. */
const BATCH_MAX = 100;

export const adminDeviceDeleteRoute: Route<typeof adminDeviceDelete> = {
  operation: adminDeviceDelete,
  handle: async (context, { app: { appId }, body }) => {
    requireOneOf(body, ['push_token', 'device_guid']);
    for (let erased = 0; ; ) {
      const devices = await findDevices(context.storage, appId, body);
      if (devices.length === 0 && erased === 0) throw new Problem('no-such-device');
      await eraseDevices(context, appId, devices);
      erased += devices.length;
      if (devices.length < BATCH_MAX) return {};
    }
  },
};

async function findDevices(
  storage: Storage,
  appId: string,
  { push_token: pushToken, device_guid: deviceGuid = '' }: Static<(typeof adminDeviceDelete)['body']>,
): Promise<DeviceRecord[]> {
  if (pushToken !== undefined) {
    const record = await findDeviceRecord(storage, appId, pushToken);
    return record ? [record] : [];
  }
  const bucket = bucketOfGuid(appId, deviceGuid);
  return findRecordsByGuid(storage.shards.dbFor(bucket), { appId, bucket, deviceGuid }, BATCH_MAX);
}
