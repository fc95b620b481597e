import { bucketOfDevice } from '#src/domain/device.ts';
import type { Task } from '#src/domain/task.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { type Device, type DeviceGroup, findDevicesOfUsers } from '#src/storage/devices/devices.ts';
import { findDevicesWithTags } from '#src/storage/devices/tags.ts';
import {
  type ClaimedExpansion,
  completeExpansion,
  type ExpansionEnd,
  findTargetedDevices,
} from '#src/storage/ledger/expansions.ts';
import { findDatabasesOfUsers, type UserKey } from '#src/storage/users/device-buckets.ts';
import { findMembersAfter } from '#src/storage/users/groups.ts';
import type { WorkerContext } from '../context.ts';
import { groupUsersByDatabase } from '../pacing/group-by-database.ts';
import { toSingleDeviceGroup } from './device-group.ts';

/** Members per transaction. A member has at most 20 devices, so memory stays bounded. */
const MEMBERS_PER_PAGE = 1_024;

/**
 * Expands one page of a group's members, in the order of their user IDs. The devices are read first, because they can be
 * in several databases. If the page is full, another expansion continues after its last member.
 */
export async function expandGroup(
  { storage }: WorkerContext,
  db: ShardDb,
  expansion: ClaimedExpansion,
  task: Task,
  insert: (tx: ShardDb, groups: readonly DeviceGroup[]) => Promise<void>,
): Promise<ExpansionEnd> {
  const { appId, groupId, dueAt } = task;
  const userIds = await findMembersAfter(storage.home, appId, groupId as bigint, expansion.afterId, MEMBERS_PER_PAGE);
  const users = userIds.map((userId) => ({ appId, userId }));
  const devices = await findDevicesOfMembers(storage, task, users);
  const lastUserId = userIds.length < MEMBERS_PER_PAGE ? undefined : userIds.at(-1);
  const upTo = lastUserId === undefined ? undefined : { bucket: expansion.bucket, id: lastUserId };
  return completeExpansion(db, expansion, upTo, async (tx) => {
    const newDevices = await withoutPlaces(tx, expansion, devices, dueAt);
    await insert(tx, newDevices.map(toSingleDeviceGroup));
  });
}

/** Longer than a login takes. The registration time of a device is the time at which the login began. */
const LOGIN_MS_MAX = 10 * 60 * 1_000;

/**
 * Returns the devices without those that an earlier page has expanded. A device changes pages if another member logs in
 * on it. Such a login began before the task was due, or the device would not be in the audience.
 */
async function withoutPlaces(
  tx: ShardDb,
  { taskId, bucket }: ClaimedExpansion,
  devices: readonly Device[],
  dueAt: Date,
): Promise<readonly Device[]> {
  const registeredRecently = devices.filter(
    ({ registeredAt }) => registeredAt.getTime() > dueAt.getTime() - LOGIN_MS_MAX,
  );
  if (registeredRecently.length === 0) return devices;
  const deviceIds = registeredRecently.map(({ deviceId }) => deviceId);
  const expanded = new Set(await findTargetedDevices(tx, taskId, bucket, deviceIds));
  return devices.filter(({ deviceId }) => !expanded.has(deviceId));
}

/** Returns the users' devices that were registered when the task was due and, for a task to tags, have any of them. */
async function findDevicesOfMembers(storage: Storage, task: Task, users: readonly UserKey[]): Promise<Device[]> {
  const { appId, audience, dueAt } = task;
  const usersByDatabase = groupUsersByDatabase(users, await findDatabasesOfUsers(storage, users));
  const pages = await Promise.all(
    [...usersByDatabase].map(async ([db, group]) => {
      const devices = (await findDevicesOfUsers(db, group)).filter(({ registeredAt }) => registeredAt <= dueAt);
      return audience.kind === 'tag' ? filterByTags(db, appId, audience.names, devices) : devices;
    }),
  );
  return pages.flat();
}

async function filterByTags(
  db: ShardDb,
  appId: string,
  tags: readonly string[],
  devices: readonly Device[],
): Promise<Device[]> {
  const keys = devices.map(({ deviceId }) => ({ bucket: bucketOfDevice(deviceId), deviceId }));
  const tagged = new Set(await findDevicesWithTags(db, appId, tags, keys));
  return devices.filter(({ deviceId }) => tagged.has(deviceId));
}
