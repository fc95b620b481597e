import { adminDeviceDelete } from '#src/contract/admin/device/delete.ts';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { bucketOfPushToken } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import { findRecordByPushToken, findRecordsByGuid } from '#src/storage/devices/device-records.ts';
import type { Route } from '../../../context.ts';
import { requireOneOf } from '../../../http/require-one-of.ts';
import { eraseDevices } from '../../../logins/release-devices.ts';

export const adminDeviceDeleteRoute: Route<typeof adminDeviceDelete> = {
  operation: adminDeviceDelete,
  handle: async (context, { app, body }) => {
    requireOneOf(body, ['push_token', 'device_guid']);
    const { push_token: pushToken, device_guid: deviceGuid = '' } = body;
    const bucket = pushToken === undefined ? bucketOfGuid(app.appId, deviceGuid) : bucketOfPushToken(pushToken);
    if (bucket === undefined) throw new Problem('no-such-device');
    const db = context.storage.shards.dbFor(bucket);
    const devices =
      pushToken === undefined
        ? await findRecordsByGuid(db, { appId: app.appId, bucket, deviceGuid })
        : [await findRecordByPushToken(db, { appId: app.appId, bucket, pushToken })].filter(
            (device) => device !== undefined,
          );
    if (devices.length === 0) throw new Problem('no-such-device');
    await eraseDevices(context, app.appId, devices);
    return {};
  },
};
