import type { Static } from 'typebox';
import { adminDeviceNotifications, NOTIFICATIONS_DEFAULT } from '#src/contract/admin/device/notifications.ts';
import { bucketOfPushToken } from '#src/domain/device.ts';
import type { Language } from '#src/domain/language/language.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Task } from '#src/domain/task.ts';
import { explainNoDevice } from '#src/domain/trace/explain-not-targeted.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import { findTrippedBreakers } from '#src/storage/accounts/breakers.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import {
  type FoundPlace,
  type FoundSlice,
  findInboxRows,
  findPlacesInSlices,
  findTaskDates,
  searchSlices,
  type TaskDates,
} from '#src/storage/ledger/device-notifications.ts';
import { findTasks } from '#src/storage/ledger/tasks.ts';
import { findTracedDevice, findTracedDevicesOfUser, type TracedDevice } from '#src/storage/ledger/trace.ts';
import { findDatabasesOfUser, hasEverLoggedIn } from '#src/storage/users/device-buckets.ts';
import { findUser } from '#src/storage/users/users.ts';
import { reachOfCertificates } from '#src/vendors/sender.ts';
import type { Route } from '../../../context.ts';
import { requireOneOf } from '../../../http/require-one-of.ts';
import { explainPlaces, routeRulesOf } from '../../../ledger/explain-places.ts';
import { textsOf } from '../../../records/message-texts.ts';

type Body = Static<(typeof adminDeviceNotifications)['body']>;
type Row = Static<(typeof adminDeviceNotifications)['data']>['list'][number];

export const adminDeviceNotificationsRoute: Route<typeof adminDeviceNotifications> = {
  operation: adminDeviceNotifications,
  handle: async ({ storage }, { app: { appId }, body, language }) => {
    requireOneOf(body, ['push_token', 'user_id']);
    const { devices, userId, isPartial } = await findListedDevices(storage, appId, body);
    const { after = null, limit = NOTIFICATIONS_DEFAULT } = body;
    const found = await searchDatabases(storage, appId, devices, after, limit);
    const places = await readPlaces(storage, appId, devices, found.slices);
    const rows = await toRows(storage, appId, devices, places.list, language);
    const page = takeWholeTasks(rows, limit);
    const last = page.at(-1);
    const next = page.length < rows.length && last ? last.task_id : found.completeFrom;
    return {
      user_id: userId,
      list: page,
      next: next === 0n ? null : next,
      why:
        userId !== null && devices.length === 0 && !isPartial
          ? explainNoDevice(await hasEverLoggedIn(storage.home, { appId, userId }), language)
          : null,
      incomplete: isPartial || found.isPartial || places.isPartial,
    };
  },
};

/** A result that lacks the rows of unavailable databases. */
interface Partial {
  readonly isPartial: boolean;
}

interface ListedDevices extends Partial {
  readonly devices: readonly TracedDevice[];
  readonly userId: bigint | null;
}

async function findListedDevices(
  storage: Storage,
  appId: string,
  { push_token: pushToken, user_id: userId }: Body,
): Promise<ListedDevices> {
  if (userId !== undefined) {
    // A disabled user is listed too, because this is often the reason.
    if (!(await findUser(storage.home, appId, { kind: 'user_id', userId }))) throw new Problem('no-such-user');
    const databases = await findDatabasesOfUser(storage, { appId, userId });
    const devices = await settleAvailable(databases.map((db) => findTracedDevicesOfUser(db, appId, userId, true)));
    return { devices: devices.flat(), userId, isPartial: devices.length < databases.length };
  }
  const bucket = bucketOfPushToken(pushToken as string);
  const device =
    bucket === undefined
      ? undefined
      : await findTracedDevice(storage.shards.dbFor(bucket), { appId, bucket, pushToken: pushToken as string });
  if (!device) throw new Problem('no-such-device');
  return { devices: [device], userId: device.userId, isPartial: false };
}

/**
 * Searches all databases, because a list of users has its slices in the database of the task. The result ends where the
 * first of the searches ended.
 */
async function searchDatabases(
  { shards }: Storage,
  appId: string,
  devices: readonly TracedDevice[],
  before: bigint | null,
  limit: number,
): Promise<Partial & { readonly slices: readonly FoundSlice[]; readonly completeFrom: bigint }> {
  if (devices.length === 0) return { slices: [], completeFrom: 0n, isPartial: false };
  const searches = await settleAvailable(
    shards.all.map((db) => {
      const local = devices.filter(({ bucket }) => shards.dbFor(bucket) === db);
      return searchSlices(db, { appId, before, devices, local, limit: limit + 1 });
    }),
  );
  const completeFrom = searches.reduce((from, search) => (search.completeFrom > from ? search.completeFrom : from), 0n);
  const slices = searches.flatMap((search) => search.slices).filter(({ taskId }) => taskId >= completeFrom);
  return { slices, completeFrom, isPartial: searches.length < shards.all.length };
}

async function readPlaces(
  { shards }: Storage,
  appId: string,
  devices: readonly TracedDevice[],
  slices: readonly FoundSlice[],
): Promise<Partial & { readonly list: readonly FoundPlace[] }> {
  const deviceIds = devices.map(({ deviceId }) => deviceId);
  const groups = [...byDatabase(shards, slices, ({ bucket }) => bucket)];
  const read = ([db, group]: [ShardDb, FoundSlice[]]) => findPlacesInSlices(db, appId, group, deviceIds);
  const places = await settleAvailable(groups.map(read));
  return { list: places.flat(), isPartial: places.length < groups.length };
}

/** Returns a row for each task and device, the latest task first. */
async function toRows(
  storage: Storage,
  appId: string,
  devices: readonly TracedDevice[],
  places: readonly FoundPlace[],
  language: Language,
): Promise<Row[]> {
  const taskIds = [...new Set(places.map(({ taskId }) => taskId))];
  if (taskIds.length === 0) return [];
  const { home, shards } = storage;
  const [tasks, dates, breakers, certificates, inboxRows] = await Promise.all([
    findTasks(home, taskIds),
    findTaskDates(home, appId, taskIds),
    findTrippedBreakers(home, appId),
    findCertificates(home, appId),
    settleAvailable(
      [...byDatabase(shards, devices, ({ bucket }) => bucket)].map(([db, group]) => findInboxRows(db, group, taskIds)),
    ),
  ]);
  const credentialReach = reachOfCertificates(certificates);
  const taskById = new Map(tasks.map((task) => [task.taskId, task]));
  const datesById = new Map(dates.map((task) => [task.taskId, task]));
  const deviceById = new Map(devices.map((device) => [device.deviceId, device]));
  const keyOf = ({ taskId, deviceId }: { taskId: bigint; deviceId: bigint }) => `${taskId} ${deviceId}`;
  const inboxByKey = new Map(inboxRows.flat().map((row) => [keyOf(row), row.expiresAt]));
  return [...Map.groupBy(places, keyOf)]
    .flatMap(([key, group]): Row[] => {
      const { taskId, deviceId } = group[0] as FoundPlace;
      const [task, date, device] = [taskById.get(taskId), datesById.get(taskId), deviceById.get(deviceId)];
      if (!task || !date || !device) return []; // the task was dropped since
      const inboxUntil = inboxByKey.get(key) ?? null;
      const rules = routeRulesOf(task, credentialReach);
      const { cancelled } = date;
      const facts = { task, cancelled, device, inboxUntil, breakers, rules, language };
      const { state, text } = explainPlaces(group, facts);
      return [toRow({ task, date, device, places: group }, state as Row['state'], text)];
    })
    .sort(byTask);
}

interface Notification {
  readonly task: Task;
  readonly date: TaskDates;
  readonly device: TracedDevice;
  readonly places: readonly FoundPlace[];
}

function toRow({ task, date, device, places }: Notification, state: Row['state'], why: string): Row {
  const place = places.find(({ received }) => received) ?? places.findLast(({ sent }) => sent) ?? places.at(-1);
  return {
    task_id: task.taskId,
    title: textsOf(task.messageText).title,
    accepted_at: BigInt(date.acceptedAt.getTime()),
    device_guid: device.deviceGuid,
    push_token: device.userId === null ? null : device.pushToken,
    channel: (place as FoundPlace).channel,
    state,
    clicked: places.some(({ clicked }) => clicked),
    why,
  };
}

const byTask = (a: Row, b: Row): number =>
  a.task_id === b.task_id ? (a.device_guid < b.device_guid ? -1 : 1) : a.task_id > b.task_id ? -1 : 1;

/** Returns the first rows without dividing a task, because `next` is the ID of a task. */
function takeWholeTasks(rows: readonly Row[], limit: number): Row[] {
  if (rows.length <= limit) return [...rows];
  const cut = rows[limit]?.task_id;
  const start = rows.findIndex(({ task_id }) => task_id === cut);
  const first = rows[0]?.task_id;
  return start > 0 ? rows.slice(0, start) : rows.filter(({ task_id }) => task_id === first);
}
