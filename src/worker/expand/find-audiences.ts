import { shardOfDevice, shardOfPushToken } from '#src/domain/device.ts';
import type { Task } from '#src/domain/task.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { findAliases } from '#src/storage/devices/aliases.ts';
import { type Device, findDevicesByPushToken, findDevicesOfUsers } from '#src/storage/devices/devices.ts';
import { findDevicesWithTags } from '#src/storage/devices/tags.ts';
import { findMembers, findMembersAmong } from '#src/storage/users/groups.ts';

/**
 * Returns a function that maps a list task to its devices, without duplicates. Each database is read once for all tasks
 * that name users, aliases or push tokens.
 */
export async function findAudiences(storage: Storage, tasks: readonly Task[]): Promise<(task: Task) => Device[]> {
  const aliasOwners = await findAliasOwners(storage, tasks);
  const namedDevices = await findNamedDevices(storage, tasks, aliasOwners);
  const byUser = Map.groupBy(namedDevices, ({ appId, userId }) => `${appId}\0${userId}`);
  const byToken = Map.groupBy(namedDevices, ({ appId, pushToken }) => `${appId}\0${pushToken}`);
  const membersByTask = await findMembersByTask(storage, tasks, namedDevices);
  const groupDevices = await findGroupDevices(storage, tasks);

  const devicesNamedBy = ({ appId, audience }: Task): Device[] => {
    switch (audience.kind) {
      case 'user_id':
        return audience.userIds.flatMap((userId) => byUser.get(`${appId}\0${userId}`) ?? []);
      case 'push_token':
        return audience.pushTokens.flatMap((token) => byToken.get(`${appId}\0${token}`) ?? []);
      case 'alias':
        return audience.names.flatMap((alias) =>
          (byUser.get(`${appId}\0${aliasOwners.get(`${appId}\0${alias}`)}`) ?? []).filter((d) => d.alias === alias),
        );
      default:
        return [];
    }
  };
  // A task that is limited to a group is sent only to the members of that group.
  const targetDevices = (task: Task): Device[] => {
    const members = membersByTask.get(task.taskId);
    return members ? devicesNamedBy(task).filter(({ userId }) => members.has(userId as bigint)) : devicesNamedBy(task);
  };
  return (task) => {
    const devices = groupDevices.get(task.taskId) ?? targetDevices(task);
    const distinct = new Map(devices.map((device) => [device.deviceId, device]));
    // Skip devices registered after the task was due.
    return [...distinct.values()].filter(({ registeredAt }) => registeredAt <= task.dueAt);
  };
}

/** Returns the owners of the aliases, by app and alias. */
async function findAliasOwners({ home }: Storage, tasks: readonly Task[]): Promise<ReadonlyMap<string, bigint>> {
  const aliases = tasks.flatMap(({ appId, audience }) =>
    audience.kind === 'alias' ? audience.names.map((alias) => ({ appId, alias })) : [],
  );
  const owners = aliases.length === 0 ? [] : await findAliases(home, aliases);
  return new Map(owners.map(({ appId, alias, userId }) => [`${appId}\0${alias}`, userId]));
}

async function findNamedDevices(
  { shards }: Storage,
  tasks: readonly Task[],
  aliasOwners: ReadonlyMap<string, bigint>,
): Promise<Device[]> {
  const ownersOf = (appId: string, names: readonly string[]) =>
    names.flatMap((alias) => aliasOwners.get(`${appId}\0${alias}`) ?? []);
  const users = tasks.flatMap(({ appId, audience }) => {
    const userIds =
      audience.kind === 'user_id' ? audience.userIds : audience.kind === 'alias' ? ownersOf(appId, audience.names) : [];
    return userIds.map((userId) => ({ appId, userId }));
  });
  const tokens = tasks.flatMap(({ appId, audience }) =>
    audience.kind === 'push_token'
      ? audience.pushTokens.flatMap((pushToken) => {
          const shard = shardOfPushToken(pushToken);
          return shard === undefined ? [] : [{ appId, pushToken, shard }];
        })
      : [],
  );
  const reads = [
    ...(users.length > 0 ? shards.all.map((db) => findDevicesOfUsers(db, users)) : []),
    ...[...byDatabase(shards, tokens, ({ shard }) => shard)].map(([db, group]) => findDevicesByPushToken(db, group)),
  ];
  return (await Promise.all(reads)).flat();
}

const isWholeGroup = ({ audience, groupId }: Task): boolean =>
  groupId !== null && (audience.kind === 'all' || audience.kind === 'tag');

/**
 * Returns the devices of all group members, by task. For a task to tags, only devices with at least one of the tags are
 * returned. The members are read page by page.
 */
async function findGroupDevices(storage: Storage, tasks: readonly Task[]): Promise<ReadonlyMap<bigint, Device[]>> {
  const groups = new Map<bigint, Device[]>();
  for (const { taskId, appId, audience, groupId } of tasks.filter(isWholeGroup)) {
    const devices: Device[] = [];
    for await (const userIds of findMembers(storage.home, appId, groupId as bigint)) {
      const users = userIds.map((userId) => ({ appId, userId }));
      for (const db of storage.shards.all) {
        const page = await findDevicesOfUsers(db, users);
        devices.push(...(audience.kind === 'tag' ? await filterByTags(db, appId, audience.names, page) : page));
      }
    }
    groups.set(taskId, devices);
  }
  return groups;
}

async function filterByTags(
  db: ShardDb,
  appId: string,
  tags: readonly string[],
  devices: readonly Device[],
): Promise<Device[]> {
  const keys = devices.map(({ deviceId }) => ({ shard: shardOfDevice(deviceId), deviceId }));
  const tagged = new Set(await findDevicesWithTags(db, appId, tags, keys));
  return devices.filter(({ deviceId }) => tagged.has(deviceId));
}

/** Returns, for each task that names devices and is limited to a group, the named users who are members. */
async function findMembersByTask(
  storage: Storage,
  tasks: readonly Task[],
  devices: readonly Device[],
): Promise<ReadonlyMap<bigint, ReadonlySet<bigint>>> {
  const membersByTask = new Map<bigint, ReadonlySet<bigint>>();
  for (const task of tasks) {
    const { taskId, appId, groupId } = task;
    if (groupId === null || isWholeGroup(task)) continue;
    const users = new Set(devices.flatMap((d) => (d.appId === appId && d.userId !== null ? [d.userId] : [])));
    membersByTask.set(taskId, new Set(await findMembersAmong(storage.home, appId, groupId, [...users])));
  }
  return membersByTask;
}
