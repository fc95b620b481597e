import { shardOfDevice, shardOfPushToken } from '#src/domain/device.ts';
import type { Task } from '#src/domain/task.ts';
import { findAliases } from '#src/truth/aliases.ts';
import { byDatabase, type Truth } from '#src/truth/database.ts';
import { type Device, findDevicesByPushToken, findDevicesOfUsers } from '#src/truth/devices.ts';
import { findMembers, isMember } from '#src/truth/groups.ts';
import { findTagged } from '#src/truth/tags.ts';

/** The devices of list tasks: each once, whatever overlaps. One read per database for all of the tasks. */
export async function findAudiences(truth: Truth, tasks: readonly Task[]): Promise<(task: Task) => Device[]> {
  const aliases = await findOwners(truth, tasks);
  const found = [...(await findNamed(truth, tasks, aliases)), ...(await findGroups(truth, tasks))];
  const byUser = Map.groupBy(found, ({ appId, userId }) => `${appId}\0${userId}`);
  const byToken = Map.groupBy(found, ({ appId, pushToken }) => `${appId}\0${pushToken}`);
  const membersOf = await findCuts(truth, tasks, found);
  const taggedOf = await findTags(truth, tasks, found);

  const named = ({ taskId, appId, audience }: Task): Device[] => {
    switch (audience.kind) {
      case 'user_id':
        return audience.userIds.flatMap((userId) => byUser.get(`${appId}\0${userId}`) ?? []);
      case 'push_token':
        return audience.pushTokens.flatMap((token) => byToken.get(`${appId}\0${token}`) ?? []);
      case 'alias':
        return audience.names.flatMap((alias) =>
          (byUser.get(`${appId}\0${aliases.get(`${appId}\0${alias}`)}`) ?? []).filter((d) => d.alias === alias),
        );
      case 'all':
        return found.filter((device) => device.appId === appId);
      case 'tag':
        return found.filter((device) => device.appId === appId && taggedOf.get(taskId)?.has(device.deviceId));
    }
  };
  return (task) => {
    const { dueAt, groupId } = task;
    const distinct = new Map(named(task).map((device) => [device.deviceId, device]));
    // Whoever registered after the task was due is not meant, nor is anybody outside of the caller's group.
    return [...distinct.values()].filter(
      ({ registeredAt, userId }) =>
        registeredAt <= dueAt && (groupId === null || membersOf.get(task.taskId)?.has(userId as bigint)),
    );
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

/** `all` and tags of a group's admin: everyone in the group, found page by page. */
async function findGroups(truth: Truth, tasks: readonly Task[]): Promise<Device[]> {
  const devices: Device[] = [];
  for (const { appId, audience, groupId } of tasks) {
    if ((audience.kind !== 'all' && audience.kind !== 'tag') || groupId === null) continue;
    for await (const userIds of findMembers(truth.home, appId, groupId)) {
      const users = userIds.map((userId) => ({ appId, userId }));
      devices.push(...(await Promise.all(truth.shards.all.map((db) => findDevicesOfUsers(db, users)))).flat());
    }
  }
  return devices;
}

/** Of the people found, those in the group that a task is cut to. */
async function findCuts(
  truth: Truth,
  tasks: readonly Task[],
  devices: readonly Device[],
): Promise<ReadonlyMap<bigint, ReadonlySet<bigint>>> {
  const cuts = new Map<bigint, ReadonlySet<bigint>>();
  for (const { taskId, appId, groupId } of tasks) {
    if (groupId === null) continue;
    const users = new Set(devices.flatMap((d) => (d.appId === appId && d.userId !== null ? [d.userId] : [])));
    cuts.set(taskId, new Set(await isMember(truth.home, appId, groupId, [...users])));
  }
  return cuts;
}

/** Of the devices found, those with the tags that a task names. */
async function findTags(
  { shards }: Truth,
  tasks: readonly Task[],
  devices: readonly Device[],
): Promise<ReadonlyMap<bigint, ReadonlySet<bigint>>> {
  const tagged = new Map<bigint, ReadonlySet<bigint>>();
  for (const { taskId, appId, audience } of tasks) {
    if (audience.kind !== 'tag') continue;
    const keys = devices.flatMap((device) =>
      device.appId === appId ? [{ shard: shardOfDevice(device.deviceId), deviceId: device.deviceId }] : [],
    );
    const found = [...byDatabase(shards, keys, ({ shard }) => shard)].map(([db, group]) =>
      findTagged(db, appId, audience.names, group),
    );
    tagged.set(taskId, new Set((await Promise.all(found)).flat()));
  }
  return tagged;
}
