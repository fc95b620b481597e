import type { Static } from 'typebox';
import { adminLookup, MATCHES_MAX } from '#src/contract/admin/lookup.ts';
import { bucketOfGuid, bucketOfRequestKey } from '#src/domain/bucket.ts';
import { bucketOfDevice, bucketOfPushToken } from '#src/domain/device.ts';
import { emailOf, mobileOf, userNameOf } from '#src/domain/login-name.ts';
import { textToInt64 } from '#src/foundation/int64.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import type { App } from '#src/storage/accounts/apps.ts';
import { byDatabase, type Storage } from '#src/storage/database/database.ts';
import {
  type DeviceRecord,
  findRecordByPushToken,
  findRecords,
  findRecordsByGuid,
} from '#src/storage/devices/device-records.ts';
import { findDevicesOfVendorToken } from '#src/storage/devices/vendor-token-owners.ts';
import { findTaskOfRequest } from '#src/storage/ledger/request-keys.ts';
import { findKnownTasks } from '#src/storage/ledger/task-titles.ts';
import { findGroupName } from '#src/storage/users/groups.ts';
import { findNamedUsers, type User } from '#src/storage/users/users.ts';
import type { Route } from '../../context.ts';
import { textsOf } from '../../records/message-texts.ts';

type Match = Static<(typeof adminLookup)['data']>['list'][number];

export const adminLookupRoute: Route<typeof adminLookup> = {
  operation: adminLookup,
  handle: async ({ storage }, { app, body }) => {
    const text = body.text.trim();
    const [users, devices, tasks, groups] = await Promise.all([
      matchUsers(storage, app, text),
      matchDevices(storage, app.appId, text),
      matchTasks(storage, app.appId, text),
      matchGroups(storage, app.appId, text),
    ]);
    const matches = [...users, ...devices.list, ...tasks, ...groups];
    return { list: withoutRepeats(matches).slice(0, MATCHES_MAX), incomplete: devices.incomplete };
  },
};

const NO_IDS = { user_id: null, push_token: null, device_guid: null, task_id: null, group_id: null };

async function matchUsers({ home }: Storage, { appId, country }: App, text: string): Promise<Match[]> {
  const users = await findNamedUsers(home, appId, {
    userId: textToInt64(text),
    name: userNameOf(text),
    // The country code may have been typed without the plus sign.
    mobiles: [mobileOf(text, country), mobileOf(`+${text}`, country)].filter((mobile) => mobile !== undefined),
    email: emailOf(text),
    alias: text,
  });
  return users.map(({ matched, ...user }) => ({
    ...NO_IDS,
    kind: 'user',
    matched,
    label: labelOfUser(user),
    user_id: user.userId,
  }));
}

const labelOfUser = ({ name, mobile, email, userId }: User): string => name ?? mobile ?? email ?? userId.toString();

/**
 * Searches for devices in the databases that can have them. Devices with a logged-in user are first. The result is
 * incomplete if a database is unavailable.
 */
async function matchDevices({ home, shards }: Storage, appId: string, text: string) {
  const bucketOfToken = bucketOfPushToken(text);
  const bucket = bucketOfGuid(appId, text);
  const owners = await findDevicesOfVendorToken(home, appId, text);
  const keys = owners.map((deviceId) => ({ bucket: bucketOfDevice(deviceId), deviceId }));
  const matched = async (field: Match['matched'], records: Promise<readonly (DeviceRecord | undefined)[]>) =>
    (await records).flatMap((record) => (record ? [toDeviceMatch(field, record)] : []));
  const searches = [
    ...(bucketOfToken === undefined
      ? []
      : [
          matched(
            'push_token',
            Promise.all([
              findRecordByPushToken(shards.dbFor(bucketOfToken), { appId, bucket: bucketOfToken, pushToken: text }),
            ]),
          ),
        ]),
    matched('device_guid', findRecordsByGuid(shards.dbFor(bucket), { appId, bucket, deviceGuid: text }, MATCHES_MAX)),
    ...[...byDatabase(shards, keys, (key) => key.bucket)].map(([db, group]) =>
      matched('vendor_token', findRecords(db, appId, group)),
    ),
  ];
  const results = await settleAvailable(searches);
  const list = results.flat().sort((a, b) => Number(a.user_id === null) - Number(b.user_id === null));
  return { list, incomplete: results.length < searches.length };
}

const toDeviceMatch = (matched: Match['matched'], { userId, pushToken, deviceGuid }: DeviceRecord): Match => ({
  ...NO_IDS,
  kind: 'device',
  matched,
  label: deviceGuid,
  user_id: userId,
  push_token: userId === null ? null : pushToken,
  device_guid: deviceGuid,
});

/** The author of all requests of admins. The key of a user or a group would need the ID of its author. */
const ADMIN_AUTHOR = 'admin';

async function matchTasks({ home }: Storage, appId: string, text: string): Promise<Match[]> {
  const taskId = textToInt64(text);
  const key = { appId, author: ADMIN_AUTHOR, requestId: text };
  const requestTaskId = await findTaskOfRequest(home, { ...key, bucket: bucketOfRequestKey(key) });
  const ids = [taskId, requestTaskId].filter((id) => id !== undefined);
  return (await findKnownTasks(home, appId, ids)).map((task) => ({
    ...NO_IDS,
    kind: 'task',
    matched: task.taskId === taskId ? 'task_id' : 'request_id',
    label: (task.messageText === null ? null : textsOf(task.messageText).title) ?? task.taskId.toString(),
    task_id: task.taskId,
  }));
}

async function matchGroups({ home }: Storage, appId: string, text: string): Promise<Match[]> {
  const groupId = textToInt64(text);
  const name = groupId === undefined ? undefined : await findGroupName(home, appId, groupId);
  return name === undefined || groupId === undefined
    ? []
    : [{ ...NO_IDS, kind: 'group', matched: 'group_id', label: name, group_id: groupId }];
}

/** Removes matches of an object that another field has matched before, such as a user whose alias is the user ID. */
function withoutRepeats(matches: readonly Match[]): Match[] {
  const keyOf = (match: Match) =>
    match.kind === 'device'
      ? `device ${match.device_guid} ${match.user_id}`
      : `${match.kind} ${match.user_id ?? match.task_id ?? match.group_id}`;
  return [...Map.groupBy(matches, keyOf).values()].map(([first]) => first as Match);
}
