import type { Static } from 'typebox';
import { adminDeviceFind } from '#src/contract/admin/device/find.ts';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
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

/** A device ID that an app uses on all phones has a device for each user. Further ones are found by user. */
const BY_GUID_MAX = 1_000;

type Body = Static<(typeof adminDeviceFind)['body']>;

export const adminDeviceFindRoute: Route<typeof adminDeviceFind> = {
  operation: adminDeviceFind,
  handle: async ({ storage }, { app, body }) => {
    const kind = requireOneOf(body, ['push_token', 'device_guid', 'user_id', 'alias', 'tag']);
    const { list, next, incomplete } = await (kind === 'tag' ? findByTag : findByIdentity)(storage, app.appId, body);
    return { list: list.map(toDeviceRecord), next, incomplete };
  },
};

/**
 * Reads all matching devices, because few match: the devices of one user, or the users of one device. The order and the paging are the same as
 * for a search by tag.
 */
async function findByIdentity(storage: Storage, appId: string, body: Body) {
  const found = await findDevices(storage, appId, body);
  const devices = found.devices.toSorted(byBucket);
  const devicesAfter = (after: bigint | null) =>
    after === null ? devices : devices.filter((device) => byBucket(device, toKey(after)) > 0);
  const page = await readPage(
    body,
    async (after, limit) => devicesAfter(after).slice(0, limit),
    ({ deviceId }) => deviceId,
  );
  return { ...page, incomplete: found.incomplete };
}

interface FoundDevices {
  readonly devices: readonly DeviceRecord[];
  /** Whether a database is unavailable, which must not prevent the search in the others. */
  readonly incomplete: boolean;
}

async function findDevices(storage: Storage, appId: string, body: Body): Promise<FoundDevices> {
  const { push_token: pushToken, device_guid: deviceGuid, user_id: userId, alias } = body;
  if (pushToken !== undefined) {
    const record = await findDeviceRecord(storage, appId, pushToken);
    return { devices: record ? [record] : [], incomplete: false };
  }
  if (deviceGuid !== undefined) {
    const bucket = bucketOfGuid(appId, deviceGuid);
    const key = { appId, bucket, deviceGuid };
    return { devices: await findRecordsByGuid(storage.shards.dbFor(bucket), key, BY_GUID_MAX), incomplete: false };
  }
  if (userId !== undefined) return findDevicesOfUser(storage, appId, userId);
  if (alias === undefined) return { devices: [], incomplete: false };
  const owner = await findAliasOwner(storage.home, appId, alias);
  if (!owner) return { devices: [], incomplete: false };
  const { devices, incomplete } = await findDevicesOfUser(storage, appId, owner.userId);
  return { devices: devices.filter((device) => device.alias === alias), incomplete };
}

async function findDevicesOfUser(storage: Storage, appId: string, userId: bigint): Promise<FoundDevices> {
  const databases = await findDatabasesOfUser(storage, { appId, userId });
  const records = await settleAvailable(databases.map((db) => findRecordsOfUser(db, appId, userId)));
  return { devices: records.flat(), incomplete: records.length < databases.length };
}

/** Returns devices ordered by bucket and then by device ID, as in the index of tags. */
async function findByTag({ shards }: Storage, appId: string, body: Body) {
  const tag = body.tag as string;
  const page = await readPage(
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
  return { ...page, incomplete: false };
}

const toKey = (deviceId: bigint): TaggedDevice => ({ bucket: bucketOfDevice(deviceId), deviceId });

function byBucket(a: TaggedDevice, b: TaggedDevice): number {
  return a.bucket - b.bucket || (a.deviceId === b.deviceId ? 0 : a.deviceId < b.deviceId ? -1 : 1);
}
