import { shardOfPushToken } from '#src/domain/device.ts';
import type { Task } from '#src/domain/task.ts';
import { byDatabase, type Truth } from '#src/truth/database.ts';
import { type Device, findDevicesByPushToken, findDevicesOfUsers } from '#src/truth/devices.ts';
import { findMembers, isMember } from '#src/truth/groups.ts';

/** The devices of list tasks: each once, whatever overlaps. One read per database for all of the tasks. */
export async function findAudiences(truth: Truth, tasks: readonly Task[]): Promise<(task: Task) => Device[]> {
  const found = [...(await findNamed(truth, tasks)), ...(await findGroups(truth, tasks))];
  const byUser = Map.groupBy(found, ({ appId, userId }) => `${appId}\0${userId}`);
  const byToken = Map.groupBy(found, ({ appId, pushToken }) => `${appId}\0${pushToken}`);
  const membersOf = await findCuts(truth, tasks, found);

  return (task) => {
    const { appId, audience, dueAt, groupId } = task;
    const named =
      audience.kind === 'user_id'
        ? audience.userIds.flatMap((userId) => byUser.get(`${appId}\0${userId}`) ?? [])
        : audience.kind === 'push_token'
          ? audience.pushTokens.flatMap((token) => byToken.get(`${appId}\0${token}`) ?? [])
          : audience.kind === 'all'
            ? found.filter((device) => device.appId === appId)
            : []; // nothing can set a tag or an alias yet
    const distinct = new Map(named.map((device) => [device.deviceId, device]));
    // Whoever registered after the task was due is not meant, nor is anybody outside of the caller's group.
    return [...distinct.values()].filter(
      ({ registeredAt, userId }) =>
        registeredAt <= dueAt && (groupId === null || membersOf.get(task.taskId)?.has(userId as bigint)),
    );
  };
}

async function findNamed({ shards }: Truth, tasks: readonly Task[]): Promise<Device[]> {
  const users = tasks.flatMap(({ appId, audience }) =>
    audience.kind === 'user_id' ? audience.userIds.map((userId) => ({ appId, userId })) : [],
  );
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

/** `all` of a group's admin: everyone in the group, found page by page. */
async function findGroups(truth: Truth, tasks: readonly Task[]): Promise<Device[]> {
  const devices: Device[] = [];
  for (const { appId, audience, groupId } of tasks) {
    if (audience.kind !== 'all' || groupId === null) continue;
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
