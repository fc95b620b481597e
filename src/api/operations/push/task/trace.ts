import { pushTaskTrace } from '#src/contract/push/task/trace.ts';
import { type Caller, sightOf } from '#src/domain/caller.ts';
import { shardOfPushToken } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import type { RouteRules } from '#src/domain/routing.ts';
import { homeShardOf, type Task } from '#src/domain/task.ts';
import { lineOf, type TracedPlace, type Why, whyOf } from '#src/domain/trace/explain-delivery.ts';
import { whyNoVendor, whyOutside } from '#src/domain/trace/explain-not-targeted.ts';
import { readHistory } from '#src/domain/trace/trace-events.ts';
import { findGates } from '#src/storage/accounts/breakers.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { findVisibleTasks } from '#src/storage/ledger/statistics.ts';
import { findTasks } from '#src/storage/ledger/tasks.ts';
import {
  type FoundPlace,
  findInboxEnd,
  findPlaces,
  findTaskProgress,
  findTracedDevice,
  findTracedDevicesOf,
  isExpanded,
  type TaskProgress,
  type TracedDevice,
} from '#src/storage/ledger/trace.ts';
import { findMembersAmong } from '#src/storage/users/groups.ts';
import { userExists } from '#src/storage/users/users.ts';
import { certifiedReach } from '#src/vendors/sender.ts';
import type { Route } from '../../../context.ts';
import { oneOf } from '../../../http/require-one-of.ts';

export const pushTaskTraceRoute: Route<typeof pushTaskTrace> = {
  operation: pushTaskTrace,
  handle: async ({ truth }, { caller, body }) => {
    const { task_id: taskId } = body;
    oneOf(body, ['push_token', 'user_id']);
    const [visible] = await findVisibleTasks(truth.home, caller.appId, sightOf(caller), [taskId]);
    const [task] = visible === undefined ? [] : await findTasks(truth.home, [taskId]);
    const progress = task && (await findTaskProgress(truth.home, taskId));
    if (!task || !progress) throw new Problem('bad-parameter', 'There is no such task.');
    const { push_token: pushToken, user_id: userId } = body;
    const devices =
      userId === undefined
        ? [await deviceOf(truth, caller, pushToken as string)]
        : await devicesOf(truth, caller, userId);
    const traced = { task, progress, rules: await rulesOf(truth, task) };
    const list = [];
    // One after the other: each looks through a shard's slices of the task.
    for (const device of devices) list.push(await traceDevice(truth, caller, traced, device));
    return { task_id: taskId, list };
  },
};

/** The device with a push token, if the caller may see it. A stranger's is answered like one that is not there. */
async function deviceOf(truth: Truth, caller: Caller, pushToken: string): Promise<TracedDevice> {
  const shard = shardOfPushToken(pushToken);
  const found =
    shard === undefined ? undefined : await findTracedDevice(truth.shards.of(shard), caller.appId, pushToken);
  if (!found || !(await maySee(truth, caller, found.userId as bigint))) throw new Problem('no-such-device');
  return found;
}

async function devicesOf(truth: Truth, caller: Caller, userId: bigint): Promise<TracedDevice[]> {
  if (caller.kind === 'user' && userId !== caller.userId)
    throw new Problem('no-permission', 'A user token may ask only for its own user.');
  const known = (await userExists(truth.home, caller.appId, userId)) && (await maySee(truth, caller, userId));
  if (!known) throw new Problem('no-such-user');
  const found = await Promise.all(
    truth.shards.all.map((db) => findTracedDevicesOf(db, caller.appId, userId, caller.kind !== 'user')),
  );
  return found.flat();
}

async function maySee({ home }: Truth, caller: Caller, owner: bigint): Promise<boolean> {
  switch (caller.kind) {
    case 'admin':
      return true;
    case 'group':
      return (await findMembersAmong(home, caller.appId, caller.groupId, [owner])).length > 0;
    case 'user':
      return owner === caller.userId;
  }
}

/** The ways that the task's devices may go, by the certificates that there are now. */
async function rulesOf({ home }: Truth, { appId, strategy, ospushSequence, message }: Task): Promise<RouteRules> {
  const certified = certifiedReach(await findCertificates(home, appId));
  return { strategy, ospushSequence, messageType: message.type, certified };
}

interface Traced {
  readonly task: Task;
  readonly progress: TaskProgress;
  readonly rules: RouteRules;
}

async function traceDevice(truth: Truth, caller: Caller, traced: Traced, device: TracedDevice) {
  const { taskId, appId } = traced.task;
  const shard = traced.progress.expansions === 1 ? homeShardOf(taskId) : device.shard;
  const db = truth.shards.of(shard);
  const found = await findPlaces(db, { appId, taskId, shard, deviceId: device.deviceId });
  // What was for a former owner is not told to the user who has the device now.
  const places = caller.kind === 'user' ? found.filter(({ generation }) => generation === device.generation) : found;
  const { state, why } =
    places.length > 0
      ? await whyInside(truth, traced, device, places)
      : outside(traced, device, await isExpanded(db, taskId, shard));
  return {
    push_token: device.pushToken,
    device_guid: device.deviceGuid,
    state,
    why,
    channels: places.map(({ channel, sent, received, dropped }) => ({
      channel,
      sent,
      acknowledged: received,
      left_out: dropped,
    })),
    attempts: attemptsOf(places),
  };
}

function attemptsOf(places: readonly FoundPlace[]) {
  return places
    .flatMap(({ channel, history, place }) => readHistory(history, place).map((said) => ({ channel, said })))
    .sort((a, b) => a.said.at.getTime() - b.said.at.getTime())
    .map(({ channel, said }) => ({
      at: BigInt(said.at.getTime()),
      channel,
      said: said.word,
      detail: said.detail,
      text: lineOf(channel, said),
    }));
}

async function whyInside(
  truth: Truth,
  { task, progress, rules }: Traced,
  device: TracedDevice,
  found: readonly FoundPlace[],
): Promise<Why> {
  const places = found.map(
    (one): TracedPlace => ({
      ...one,
      said: readHistory(one.history, one.place),
      foreign: one.generation !== device.generation,
    }),
  );
  const { shard, deviceId } = device;
  return whyOf({
    places,
    cancelled: progress.cancelled,
    notAfter: task.notAfter,
    inboxUntil: await findInboxEnd(truth.shards.of(shard), shard, deviceId, task.taskId),
    gates: await findGates(truth.home, task.appId),
    noVendor: whyNoVendor(rules, { ...device, online: device.gateway !== null }),
  });
}

function outside({ task, progress }: Traced, device: TracedDevice, expanded: boolean): Why {
  const { audience, groupId, dueAt } = task;
  const { cancelled, now } = progress;
  return { state: 'outside', why: whyOutside({ audience, groupId, dueAt, cancelled, expanded }, device, now) };
}
