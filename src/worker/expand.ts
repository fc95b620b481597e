import { shardOfPushToken } from '#src/domain/device.ts';
import { firstRoute, type Route, type RouteRules } from '#src/domain/routing.ts';
import { placeStatus, SLICE_PLACES_MAX } from '#src/domain/slice.ts';
import { homeShardOf, type Task } from '#src/domain/task.ts';
import { byDatabase, type Truth } from '#src/truth/database.ts';
import { type Device, findDevicesByPushToken, findDevicesOfUsers } from '#src/truth/devices.ts';
import { expandLists, type HeldSlice, type NewSlice } from '#src/truth/slices.ts';
import { type ClaimedTask, markPlanned } from '#src/truth/tasks.ts';
import type { WorkerContext } from './context.ts';
import { toRouted } from './devices.ts';

/**
 * Turns the audiences of small tasks into slices: one read and one insert per database for all of them. The slices are
 * born leased, so the worker that made them sends them at once. Every step may be repeated by another worker: the
 * expansion's row decides whose slices count.
 */
export async function expandTasks(context: WorkerContext, claims: readonly ClaimedTask[]): Promise<HeldSlice[]> {
  const tasks = claims.map(({ task }) => task);
  const devices = await findAudiences(context.truth, tasks);
  const slices = await Promise.all(
    tasks.map(async (task) => {
      const leaseMs = context.settings.CARILLON_LEASE_SECONDS * 1_000;
      return sliceDevices(task, await context.accounts.rulesOf(task), devices.of(task), leaseMs);
    }),
  );
  const expansions = tasks.map(({ taskId, appId }) => ({ taskId, appId, shard: homeShardOf(taskId) }));
  const made = await Promise.all(
    [...byDatabase(context.truth.shards, expansions, ({ shard }) => shard)].map(([db, group]) => {
      const mine = new Set(group.map(({ taskId }) => taskId));
      return expandLists(
        db,
        group,
        slices.flat().filter(({ taskId }) => mine.has(taskId)),
      );
    }),
  );
  await markPlanned(context.truth.home, claims);
  return made.flat().filter(({ channel }) => channel !== 'none');
}

interface Audiences {
  /** The devices of a task: each once, whatever overlaps. */
  of(task: Task): Device[];
}

async function findAudiences({ shards }: Truth, tasks: readonly Task[]): Promise<Audiences> {
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
  const devices = (await Promise.all(reads)).flat();
  const byUser = Map.groupBy(devices, ({ appId, userId }) => `${appId}\0${userId}`);
  const byToken = Map.groupBy(devices, ({ appId, pushToken }) => `${appId}\0${pushToken}`);

  return {
    of: ({ appId, audience, dueAt }) => {
      const found =
        audience.kind === 'user_id'
          ? audience.userIds.flatMap((userId) => byUser.get(`${appId}\0${userId}`) ?? [])
          : audience.pushTokens.flatMap((token) => byToken.get(`${appId}\0${token}`) ?? []);
      const distinct = new Map(found.map((device) => [device.deviceId, device]));
      // Whoever registered after the task was due is not meant.
      return [...distinct.values()].filter(({ registeredAt }) => registeredAt <= dueAt);
    },
  };
}

/** Routes devices and cuts them into slices: per channel, and on the own channel per gateway. */
function sliceDevices(task: Task, rules: RouteRules, devices: readonly Device[], leaseMs: number): NewSlice[] {
  const routed = devices.map((device) => ({ device, route: firstRoute(rules, toRouted(device)) }));
  const groups = Map.groupBy(routed, ({ device, route }) => sliceGroup(route, device));
  return [...groups.values()].flatMap((group) => {
    const { route } = group[0] as (typeof routed)[number];
    const slices: NewSlice[] = [];
    for (let i = 0; i < group.length; i += SLICE_PLACES_MAX) {
      const places = group.slice(i, i + SLICE_PLACES_MAX).map(({ device }) => device);
      slices.push(newSlice(task, route, places, leaseMs));
    }
    return slices;
  });
}

function sliceGroup({ channel, waits }: Route, { gateway }: Device): string {
  return channel === 'nativepush' && !waits ? `${channel}\0${gateway}` : `${channel}\0${waits}`;
}

function newSlice(task: Task, route: Route, devices: readonly Device[], leaseMs: number): NewSlice {
  const unreachable = route.channel === 'none';
  const status = unreachable ? placeStatus.failed : route.waits ? placeStatus.waiting : placeStatus.planned;
  return {
    taskId: task.taskId,
    shard: homeShardOf(task.taskId),
    appId: task.appId,
    channel: route.channel,
    lane: task.lane,
    state: unreachable ? 'closed' : 'leased',
    nextInMs: unreachable ? 0 : leaseMs,
    tried: [],
    nativeSlice: null,
    status: Buffer.alloc(devices.length, status),
    deviceIds: devices.map(({ deviceId }) => deviceId),
    generations: devices.map(({ generation }) => generation),
  };
}
