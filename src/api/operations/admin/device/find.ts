import type { Static } from 'typebox';
import { adminDeviceFind } from '#src/contract/admin/device/find.ts';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { byDatabase, type Storage } from '#src/storage/database/database.ts';
import { findAliasOwner } from '#src/storage/devices/aliases.ts';
import {
  type DeviceRecord,
  findRecords,
  findRecordsByGuid,
  findRecordsOfUser,
} from '#src/storage/devices/device-records.ts';
import { findTagPage, type TaggedDevice } from '#src/storage/devices/tags.ts';
import { findDatabasesOfUser } from '#src/storage/users/device-buckets.ts';
import type { Route } from '../../../context.ts';
import { requireOneOf } from '../../../http/require-one-of.ts';
import { toDeviceRecord } from '../../../records/device-record.ts';
import { findDeviceRecord } from '../../../records/find-device-record.ts';
import { readPage } from '../../../records/page.ts';

type Body = Static<(typeof adminDeviceFind)['body']>;

export const adminDeviceFindRoute: Route<typeof adminDeviceFind> = {
  operation: adminDeviceFind,
  handle: async ({ storage }, { app, body }) => {
    const kind = requireOneOf(body, ['push_token', 'device_guid', 'user_id', 'alias', 'tag']);
    const { list, next } = await (kind === 'tag' ? findByTag : findByIdentity)(storage, app.appId, body);
    return { list: list.map(toDeviceRecord), next };
  },
};

/**
 * Reads all matching devices, because few match: the devices of one user, or the users of one device. The order and the paging are the same as
 * for a search by tag.
 */
async function findByIdentity(storage: Storage, appId: string, body: Body) {
  const devices = (await findDevices(storage, appId, body)).sort(byBucket);
  const devicesAfter = (after: bigint | null) =>
    after === null ? devices : devices.filter((device) => byBucket(device, toKey(after)) > 0);
  return readPage(
    body,
    async (after, limit) => devicesAfter(after).slice(0, limit),
    ({ deviceId }) => deviceId,
  );
}

async function findDevices(storage: Storage, appId: string, body: Body): Promise<DeviceRecord[]> {
  const { push_token: pushToken, device_guid: deviceGuid, user_id: userId, alias } = body;
  if (pushToken !== undefined) {
    const record = await findDeviceRecord(storage, appId, pushToken);
    return record ? [record] : [];
  }
  if (deviceGuid !== undefined) {
    const bucket = bucketOfGuid(appId, deviceGuid);
    return findRecordsByGuid(storage.shards.dbFor(bucket), { appId, bucket, deviceGuid });
  }
  if (userId !== undefined) return findDevicesOfUser(storage, appId, userId);
  if (alias === undefined) return [];
  const owner = await findAliasOwner(storage.home, appId, alias);
  return owner
    ? (await findDevicesOfUser(storage, appId, owner.userId)).filter((device) => device.alias === alias)
    : [];
}

async function findDevicesOfUser(storage: Storage, appId: string, userId: bigint): Promise<DeviceRecord[]> {
  const databases = await findDatabasesOfUser(storage, { appId, userId });
  return (await Promise.all(databases.map((db) => findRecordsOfUser(db, appId, userId)))).flat();
}

/** Returns devices ordered by bucket and then by device ID, as in the index of tags. */
function findByTag({ shards }: Storage, appId: string, body: Body) {
  const tag = body.tag as string;
  return readPage(
    body,
    async (after, limit) => {
      const start = after === null ? { bucket: -1, deviceId: 0n } : toKey(after);
      const tagged = await Promise.all(shards.all.map((db) => findTagPage(db, appId, tag, start, limit)));
      const page = byDatabase(shards, tagged.flat().sort(byBucket).slice(0, limit), ({ bucket }) => bucket);
      const records = await Promise.all([...page].map(([db, keys]) => findRecords(db, appId, keys)));
      return records.flat().sort(byBucket);
    },
    ({ deviceId }) => deviceId,
  );
}

const toKey = (deviceId: bigint): TaggedDevice => ({ bucket: bucketOfDevice(deviceId), deviceId });

function byBucket(a: TaggedDevice, b: TaggedDevice): number {
  return a.bucket - b.bucket || (a.deviceId === b.deviceId ? 0 : a.deviceId < b.deviceId ? -1 : 1);
}
