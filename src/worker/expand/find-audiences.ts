import { bucketOfPushToken } from '#src/domain/device.ts';
import { bucketOfTask, type Task } from '#src/domain/task.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { findAliases } from '#src/storage/devices/aliases.ts';
import { type Device, findDevicesByPushToken, findDevicesOfUsers } from '#src/storage/devices/devices.ts';
import { findDatabasesOfUsers, type UserKey } from '#src/storage/users/device-buckets.ts';
import { findMembersAmong } from '#src/storage/users/groups.ts';
import { groupUsersByDatabase } from '../pacing/group-by-database.ts';

/** A push token with its bucket. */
interface TokenKey {
  readonly appId: string;
  readonly pushToken: string;
  readonly bucket: number;
}

/** The users and push tokens to read for the expansion of a list, by database. */
export interface ListAudience {
  readonly task: Task;
  readonly users: ReadonlyMap<ShardDb, readonly UserKey[]>;
  readonly tokens: ReadonlyMap<ShardDb, readonly TokenKey[]>;
  /** The owner of each alias of the task. */
  readonly aliasOwners: ReadonlyMap<string, bigint>;
  /** The databases of the task's devices and slices. */
  readonly databases: ReadonlySet<ShardDb>;
}

/** Finds the databases with the devices of list tasks. Reads only the home database. */
export async function locateAudiences(storage: Storage, tasks: readonly Task[]): Promise<ListAudience[]> {
  const { shards } = storage;
  const aliasOwners = await findAliasOwners(storage, tasks);
  const usersByTask = tasks.map((task) => usersOf(task, aliasOwners));
  const databasesOfUsers = await findDatabasesOfUsers(storage, usersByTask.flat());
  let next = 0;
  return tasks.map((task, i) => {
    const ownUsers = usersByTask[i] ?? [];
    const users = groupUsersByDatabase(ownUsers, databasesOfUsers.slice(next, next + ownUsers.length));
    next += ownUsers.length;
    const tokens = Map.groupBy(tokensOf(task), ({ bucket }) => shards.dbFor(bucket));
    const ofDevices = task.lane === 'bulk' ? shards.all : [...users.keys(), ...tokens.keys()];
    const databases = new Set([shards.dbFor(bucketOfTask(task.taskId)), ...ofDevices]);
    return { task, users, tokens, aliasOwners, databases };
  });
}

/**
 * Returns a function that maps a list task to its devices, without duplicates. Each database is read once for all
 * tasks.
 */
export async function findAudiences(
  storage: Storage,
  audiences: readonly ListAudience[],
): Promise<(task: Task) => readonly Device[]> {
  const namedDevices = await findNamedDevices(audiences);
  const byUser = Map.groupBy(namedDevices, ({ appId, userId }) => `${appId}\0${userId}`);
  const byToken = Map.groupBy(namedDevices, ({ appId, pushToken }) => `${appId}\0${pushToken}`);

  const devicesNamedBy = ({ task: { appId, audience }, aliasOwners }: ListAudience): Device[] => {
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
  const devicesByTask = new Map<bigint, readonly Device[]>();
  for (const audience of audiences) {
    const { taskId, dueAt } = audience.task;
    const devices = await limitToGroup(storage, audience.task, devicesNamedBy(audience));
    const distinct = new Map(devices.map((device) => [device.deviceId, device]));
    // Skip devices registered after the task was due.
    devicesByTask.set(
      taskId,
      [...distinct.values()].filter(({ registeredAt }) => registeredAt <= dueAt),
    );
  }
  return ({ taskId }) => devicesByTask.get(taskId) ?? [];
}

/** Returns the owners of the aliases, by app and alias. */
async function findAliasOwners({ home }: Storage, tasks: readonly Task[]): Promise<ReadonlyMap<string, bigint>> {
  const aliases = tasks.flatMap(({ appId, audience }) =>
    audience.kind === 'alias' ? audience.names.map((alias) => ({ appId, alias })) : [],
  );
  const owners = aliases.length === 0 ? [] : await findAliases(home, aliases);
  return new Map(owners.map(({ appId, alias, userId }) => [`${appId}\0${alias}`, userId]));
}

/** Returns the users whose devices a task names. */
function usersOf({ appId, audience }: Task, aliasOwners: ReadonlyMap<string, bigint>): UserKey[] {
  switch (audience.kind) {
    case 'user_id':
      return audience.userIds.map((userId) => ({ appId, userId }));
    case 'alias':
      return audience.names.flatMap((alias) => {
        const userId = aliasOwners.get(`${appId}\0${alias}`);
        return userId === undefined ? [] : [{ appId, userId }];
      });
    default:
      return [];
  }
}

/** Returns the push tokens that a task names, except for strings that are not push tokens of Carillon. */
function tokensOf({ appId, audience }: Task): TokenKey[] {
  if (audience.kind !== 'push_token') return [];
  return audience.pushTokens.flatMap((pushToken) => {
    const bucket = bucketOfPushToken(pushToken);
    return bucket === undefined ? [] : [{ appId, pushToken, bucket }];
  });
}

async function findNamedDevices(audiences: readonly ListAudience[]): Promise<Device[]> {
  const usersByDatabase = mergeByDatabase(audiences.map(({ users }) => users));
  const tokensByDatabase = mergeByDatabase(audiences.map(({ tokens }) => tokens));
  const reads = [
    ...[...usersByDatabase].map(([db, users]) => findDevicesOfUsers(db, users)),
    ...[...tokensByDatabase].map(([db, tokens]) => findDevicesByPushToken(db, tokens)),
  ];
  return (await Promise.all(reads)).flat();
}

function mergeByDatabase<T>(maps: readonly ReadonlyMap<ShardDb, readonly T[]>[]): Map<ShardDb, T[]> {
  const merged = new Map<ShardDb, T[]>();
  for (const map of maps)
    for (const [db, items] of map) {
      const list = merged.get(db);
      if (list) list.push(...items);
      else merged.set(db, [...items]);
    }
  return merged;
}

/** A task that is limited to a group is sent only to the members of that group. */
async function limitToGroup(
  { home }: Storage,
  { appId, groupId }: Task,
  devices: readonly Device[],
): Promise<readonly Device[]> {
  if (groupId === null) return devices;
  const users = new Set(devices.flatMap(({ userId }) => (userId === null ? [] : [userId])));
  const members = new Set(await findMembersAmong(home, appId, groupId, [...users]));
  return devices.filter(({ userId }) => userId !== null && members.has(userId));
}
