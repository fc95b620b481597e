import type { Static } from 'typebox';
import { adminDeviceFind } from '#src/contract/admin/device/find.ts';
import { shardOfDevice, shardOfGuid, shardOfPushToken } from '#src/domain/device.ts';
import { byDatabase, type Truth } from '#src/storage/database/database.ts';
import { findAliasOwner } from '#src/storage/devices/aliases.ts';
import {
  type DeviceRecord,
  findRecordByGuid,
  findRecordByPushToken,
  findRecords,
  findRecordsOfUser,
} from '#src/storage/devices/device-records.ts';
import { findTagPage, type TaggedDevice } from '#src/storage/devices/tags.ts';
import type { Route } from '../../../context.ts';
import { oneOf } from '../../../http/require-one-of.ts';
import { toDeviceRecord } from '../../../records/device-record.ts';
import { pageOf } from '../../../records/page.ts';

type Body = Static<(typeof adminDeviceFind)['body']>;

export const adminDeviceFindRoute: Route<typeof adminDeviceFind> = {
  operation: adminDeviceFind,
  handle: async ({ truth }, { app, body }) => {
    const kind = oneOf(body, ['push_token', 'device_guid', 'user_id', 'alias', 'tag']);
    const { list, next } = await (kind === 'tag' ? findByTag : findFew)(truth, app.appId, body);
    return { list: list.map(toDeviceRecord), next };
  },
};

/** At most as many as one user has, so all of them are read; told in the same order and pages as by tag. */
async function findFew(truth: Truth, appId: string, body: Body) {
  const found = (await find(truth, appId, body)).sort(byShard);
  const behind = (after: bigint | null) =>
    after === null ? found : found.filter((device) => byShard(device, toKey(after)) > 0);
  return pageOf(
    body,
    async (after, limit) => behind(after).slice(0, limit),
    ({ deviceId }) => deviceId,
  );
}

async function find(truth: Truth, appId: string, body: Body): Promise<DeviceRecord[]> {
  const { push_token: pushToken, device_guid: deviceGuid, user_id: userId, alias } = body;
  if (pushToken !== undefined) {
    const shard = shardOfPushToken(pushToken);
    const found =
      shard === undefined ? undefined : await findRecordByPushToken(truth.shards.of(shard), appId, pushToken);
    return found ? [found] : [];
  }
  if (deviceGuid !== undefined) {
    const found = await findRecordByGuid(truth.shards.of(shardOfGuid(appId, deviceGuid)), appId, deviceGuid);
    return found ? [found] : [];
  }
  if (userId !== undefined) return findOfUser(truth, appId, userId);
  if (alias === undefined) return [];
  const owner = await findAliasOwner(truth.home, appId, alias);
  return owner ? (await findOfUser(truth, appId, owner.userId)).filter((device) => device.alias === alias) : [];
}

async function findOfUser({ shards }: Truth, appId: string, userId: bigint): Promise<DeviceRecord[]> {
  return (await Promise.all(shards.all.map((db) => findRecordsOfUser(db, appId, userId)))).flat();
}

/** In the order of shards, and inside of one of devices: the order of the tags' index. */
function findByTag({ shards }: Truth, appId: string, body: Body) {
  const tag = body.tag as string;
  return pageOf(
    body,
    async (after, limit) => {
      const from = after === null ? { shard: -1, deviceId: 0n } : toKey(after);
      const tagged = await Promise.all(shards.all.map((db) => findTagPage(db, appId, tag, from, limit)));
      const page = byDatabase(shards, tagged.flat().sort(byShard).slice(0, limit), ({ shard }) => shard);
      const found = await Promise.all([...page].map(([db, keys]) => findRecords(db, appId, keys)));
      return found.flat().sort(byShard);
    },
    ({ deviceId }) => deviceId,
  );
}

const toKey = (deviceId: bigint): TaggedDevice => ({ shard: shardOfDevice(deviceId), deviceId });

function byShard(a: TaggedDevice, b: TaggedDevice): number {
  return a.shard - b.shard || (a.deviceId === b.deviceId ? 0 : a.deviceId < b.deviceId ? -1 : 1);
}
