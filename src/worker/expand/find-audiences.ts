import { shardOfDevice, shardOfPushToken } from '#src/domain/device.ts';
import type { Task } from '#src/domain/task.ts';
import { byDatabase, type ShardDb, type Truth } from '#src/storage/database/database.ts';
import { findAliases } from '#src/storage/devices/aliases.ts';
import { type Device, findDevicesByPushToken, findDevicesOfUsers } from '#src/storage/devices/devices.ts';
import { findTagged } from '#src/storage/devices/tags.ts';
import { findMembers, findMembersAmong } from '#src/storage/users/groups.ts';

/** The devices of list tasks: each once, whatever overlaps. One read per database for all of the tasks that name some. */
export async function findAudiences(truth: Truth, tasks: readonly Task[]): Promise<(task: Task) => Device[]> {
  const aliases = await findOwners(truth, tasks);
  const found = await findNamed(truth, tasks, aliases);
  const byUser = Map.groupBy(found, ({ appId, userId }) => `${appId}\0${userId}`);
  const byToken = Map.groupBy(found, ({ appId, pushToken }) => `${appId}\0${pushToken}`);
  const membersOf = await findCuts(truth, tasks, found);
  const groups = await findGroups(truth, tasks);

  const named = ({ appId, audience }: Task): Device[] => {
    switch (audience.kind) {
      case 'user_id':
        return audience.userIds.flatMap((userId) => byUser.get(`${appId}\0${userId}`) ?? []);
      case 'push_token':
        return audience.pushTokens.flatMap((token) => byToken.get(`${appId}\0${token}`) ?? []);
      case 'alias':
        return audience.names.flatMap((alias) =>
          (byUser.get(`${appId}\0${aliases.get(`${appId}\0${alias}`)}`) ?? []).filter((d) => d.alias === alias),
        );
      default:
        return [];
    }
  };
  // Nobody outside of the caller's group is meant.
  const meant = (task: Task): Device[] => {
    const members = membersOf.get(task.taskId);
    return members ? named(task).filter(({ userId }) => members.has(userId as bigint)) : named(task);
  };
  return (task) => {
    const devices = groups.get(task.taskId) ?? meant(task);
    const distinct = new Map(devices.map((device) => [device.deviceId, device]));
    // Nor is whoever registered after the task was due.
    return [...distinct.values()].filter(({ registeredAt }) => registeredAt <= task.dueAt);
  };
}

/** Whose the aliases are, by app and alias. */
async function findOwners({ home }: Truth, tasks: readonly Task[]): Promise<ReadonlyMap<string, bigint>> {
  const aliases = tasks.flatMap(({ appId, audience }) =>
    audience.kind === 'alias' ? audience.names.map((alias) => ({ appId, alias })) : [],
  );
  const owners = aliases.length === 0 ? [] : await findAliases(home, aliases);
  return new Map(owners.map(({ appId, alias, userId }) => [`${appId}\0${alias}`, userId]));
}

async function findNamed(
  { shards }: Truth,
  tasks: readonly Task[],
  aliases: ReadonlyMap<string, bigint>,
): Promise<Device[]> {
  const ownersOf = (appId: string, names: readonly string[]) =>
    names.flatMap((alias) => aliases.get(`${appId}\0${alias}`) ?? []);
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

/** By task, the devices of everyone in the group, or of those with a tag: found page by page. */
async function findGroups(truth: Truth, tasks: readonly Task[]): Promise<ReadonlyMap<bigint, Device[]>> {
  const groups = new Map<bigint, Device[]>();
  for (const { taskId, appId, audience, groupId } of tasks.filter(isWholeGroup)) {
    const devices: Device[] = [];
    for await (const userIds of findMembers(truth.home, appId, groupId as bigint)) {
      const users = userIds.map((userId) => ({ appId, userId }));
      for (const db of truth.shards.all) {
        const page = await findDevicesOfUsers(db, users);
        devices.push(...(audience.kind === 'tag' ? await cutToTags(db, appId, audience.names, page) : page));
      }
    }
    groups.set(taskId, devices);
  }
  return groups;
}

async function cutToTags(
  db: ShardDb,
  appId: string,
  tags: readonly string[],
  devices: readonly Device[],
): Promise<Device[]> {
  const keys = devices.map(({ deviceId }) => ({ shard: shardOfDevice(deviceId), deviceId }));
  const tagged = new Set(await findTagged(db, appId, tags, keys));
  return devices.filter(({ deviceId }) => tagged.has(deviceId));
}

/** By task whose devices are named, the people in the group that it is cut to. */
async function findCuts(
  truth: Truth,
  tasks: readonly Task[],
  devices: readonly Device[],
): Promise<ReadonlyMap<bigint, ReadonlySet<bigint>>> {
  const cuts = new Map<bigint, ReadonlySet<bigint>>();
  for (const task of tasks) {
    const { taskId, appId, groupId } = task;
    if (groupId === null || isWholeGroup(task)) continue;
    const users = new Set(devices.flatMap((d) => (d.appId === appId && d.userId !== null ? [d.userId] : [])));
    cuts.set(taskId, new Set(await findMembersAmong(truth.home, appId, groupId, [...users])));
  }
  return cuts;
}
