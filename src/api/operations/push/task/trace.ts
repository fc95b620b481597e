import { pushTaskTrace } from '#src/contract/push/task/trace.ts';
import { type Caller, taskVisibilityOf } from '#src/domain/caller.ts';
import { bucketOfPushToken } from '#src/domain/device.ts';
import type { Language } from '#src/domain/language/language.ts';
import { Problem } from '#src/domain/problem.ts';
import type { RouteRules } from '#src/domain/routing.ts';
import { bucketOfTask, type Task } from '#src/domain/task.ts';
import { describeEvent, type Explanation } from '#src/domain/trace/explain-delivery.ts';
import { explainNoDevice, explainNotTargeted } from '#src/domain/trace/explain-not-targeted.ts';
import { readPlaceEvents } from '#src/domain/trace/trace-events.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import { findTrippedBreakers } from '#src/storage/accounts/breakers.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { findVisibleTasks } from '#src/storage/ledger/statistics.ts';
import { findTasks } from '#src/storage/ledger/tasks.ts';
import {
  type DevicePlace,
  findDevicePlaces,
  findInboxExpiry,
  findRangeOfDevice,
  findTaskProgress,
  findTracedDevice,
  findTracedDevicesOfUser,
  isExpanded,
  type TaskProgress,
  type TracedDevice,
} from '#src/storage/ledger/trace.ts';
import { findDatabasesOfUser, hasEverLoggedIn } from '#src/storage/users/device-buckets.ts';
import { findMembersAmong } from '#src/storage/users/groups.ts';
import { findUser, userExists } from '#src/storage/users/users.ts';
import { reachOfCertificates } from '#src/vendors/sender.ts';
import type { Route } from '../../../context.ts';
import { requireOneOf } from '../../../http/require-one-of.ts';
import { explainPlaces, routeRulesOf } from '../../../ledger/explain-places.ts';

export const pushTaskTraceRoute: Route<typeof pushTaskTrace> = {
  operation: pushTaskTrace,
  handle: async ({ storage }, { caller, body, language }) => {
    const { task_id: taskId } = body;
    requireOneOf(body, ['push_token', 'user_id']);
    const [visibleTaskId] = await findVisibleTasks(storage.home, caller.appId, taskVisibilityOf(caller), [taskId]);
    const [task] = visibleTaskId === undefined ? [] : await findTasks(storage.home, [taskId]);
    const progress = task && (await findTaskProgress(storage.home, taskId));
    if (!task || !progress) throw new Problem('no-such-task');
    const { push_token: pushToken, user_id: userId } = body;
    const found =
      userId === undefined
        ? { devices: [await findVisibleDevice(storage, caller, pushToken as string)], incomplete: false }
        : await findVisibleDevicesOfUser(storage, caller, userId);
    const credentialReach = reachOfCertificates(await findCertificates(storage.home, task.appId));
    const tracedTask = { task, progress, rules: routeRulesOf(task, credentialReach), language };
    const list = [];
    // One device at a time, because each trace reads all slices of the task in a bucket.
    for (const device of found.devices) {
      const trace = traceDevice(storage, caller, tracedTask, device);
      list.push(...(userId === undefined ? [await trace] : await settleAvailable([trace])));
    }
    const incomplete = found.incomplete || list.length < found.devices.length;
    const why =
      userId !== undefined && list.length === 0 && !incomplete
        ? explainNoDevice(await hasEverLoggedIn(storage.home, { appId: caller.appId, userId }), language)
        : null;
    return { task_id: taskId, list, why, incomplete };
  },
};

/**
 * Returns the device with this push token if the caller may see it. For a device of another user, throws the same error
 * as for an unknown device.
 */
async function findVisibleDevice(storage: Storage, caller: Caller, pushToken: string): Promise<TracedDevice> {
  const bucket = bucketOfPushToken(pushToken);
  const device =
    bucket === undefined
      ? undefined
      : await findTracedDevice(storage.shards.dbFor(bucket), { appId: caller.appId, bucket, pushToken });
  if (!device || !(await maySee(storage, caller, device.userId as bigint))) throw new Problem('no-such-device');
  return device;
}

/** The result is incomplete if a database is unavailable, which must not prevent the traces of the other devices. */
async function findVisibleDevicesOfUser(
  storage: Storage,
  caller: Caller,
  userId: bigint,
): Promise<{ readonly devices: readonly TracedDevice[]; readonly incomplete: boolean }> {
  if (caller.kind === 'user' && userId !== caller.userId)
    throw new Problem('no-permission', 'A user token can trace only devices that belong to its own user.');
  // An admin can also trace a disabled user, because this is often the reason.
  const exists =
    caller.kind === 'admin'
      ? (await findUser(storage.home, caller.appId, { kind: 'user_id', userId })) !== undefined
      : await userExists(storage.home, caller.appId, userId);
  const isVisible = exists && (await maySee(storage, caller, userId));
  if (!isVisible) throw new Problem('no-such-user');
  const databases = await findDatabasesOfUser(storage, { appId: caller.appId, userId });
  const devices = await settleAvailable(
    databases.map((db) => findTracedDevicesOfUser(db, caller.appId, userId, caller.kind !== 'user')),
  );
  return { devices: devices.flat(), incomplete: devices.length < databases.length };
}

async function maySee({ home }: Storage, caller: Caller, owner: bigint): Promise<boolean> {
  switch (caller.kind) {
    case 'admin':
      return true;
    case 'group':
      return (await findMembersAmong(home, caller.appId, caller.groupId, [owner])).length > 0;
    case 'user':
      return owner === caller.userId;
  }
}

interface TracedTask {
  readonly task: Task;
  readonly progress: TaskProgress;
  readonly rules: RouteRules;
  /** The language of the explanations. */
  readonly language: Language;
}

async function traceDevice(storage: Storage, caller: Caller, tracedTask: TracedTask, device: TracedDevice) {
  const { taskId, appId } = tracedTask.task;
  const db = storage.shards.dbFor(tracedTask.progress.byRange ? device.bucket : bucketOfTask(taskId));
  const expansion = tracedTask.progress.byRange
    ? await findRangeOfDevice(db, taskId, device)
    : { bucket: bucketOfTask(taskId), done: await isExpanded(db, taskId, bucketOfTask(taskId)) };
  const allPlaces = expansion
    ? await findDevicePlaces(db, { appId, taskId, bucket: expansion.bucket, deviceId: device.deviceId })
    : [];
  // Deliveries to a previous owner are not shown to the current user of the device.
  const places =
    caller.kind === 'user' ? allPlaces.filter(({ generation }) => generation === device.generation) : allPlaces;
  const { state, text } =
    places.length > 0
      ? await explainTargeted(storage, tracedTask, device, places)
      : explainUntargeted(tracedTask, device, expansion?.done === true);
  return {
    push_token: device.pushToken,
    device_guid: device.deviceGuid,
    state,
    why: text,
    channels: places.map(({ channel, sent, received, historyDropped }) => ({
      channel,
      sent,
      acknowledged: received,
      left_out: historyDropped,
    })),
    attempts: attemptsOf(places, tracedTask.language),
  };
}

function attemptsOf(places: readonly DevicePlace[], language: Language) {
  return places
    .flatMap(({ channel, history, index }) => readPlaceEvents(history, index).map((entry) => ({ channel, entry })))
    .sort((a, b) => a.entry.at.getTime() - b.entry.at.getTime())
    .map(({ channel, entry }) => ({
      at: BigInt(entry.at.getTime()),
      channel,
      said: entry.code,
      detail: entry.detail,
      text: describeEvent(channel, entry, language),
    }));
}

async function explainTargeted(
  storage: Storage,
  { task, progress: { cancelled }, rules, language }: TracedTask,
  device: TracedDevice,
  places: readonly DevicePlace[],
): Promise<Explanation> {
  const { bucket, deviceId } = device;
  const inboxUntil = await findInboxExpiry(storage.shards.dbFor(bucket), bucket, deviceId, task.taskId);
  const breakers = await findTrippedBreakers(storage.home, task.appId);
  return explainPlaces(places, { task, cancelled, device, inboxUntil, breakers, rules, language });
}

function explainUntargeted(
  { task, progress, language }: TracedTask,
  device: TracedDevice,
  expanded: boolean,
): Explanation {
  const { audience, groupId, dueAt } = task;
  const { cancelled, now } = progress;
  const text = explainNotTargeted({ audience, groupId, dueAt, cancelled, expanded }, device, now, language);
  return { state: 'outside', text };
}
