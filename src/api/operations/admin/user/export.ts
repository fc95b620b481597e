import type { Static } from 'typebox';
import { adminUserExport, type exportKinds } from '#src/contract/admin/user/export.ts';
import { parseDraft } from '#src/domain/drafts/request-audience.ts';
import { type UserNames, withoutUser } from '#src/domain/erasure/user-names.ts';
import { Problem } from '#src/domain/problem.ts';
import { parseTaskContent } from '#src/domain/task-content.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { findAliasesOfUser } from '#src/storage/devices/aliases.ts';
import { type ExportedDevice, findDevicesToExport } from '#src/storage/devices/exported-devices.ts';
import { findDatabasesOfUser } from '#src/storage/users/device-buckets.ts';
import { findGroupsOfUser } from '#src/storage/users/groups.ts';
import { findTokensOfUser } from '#src/storage/users/tokens.ts';
import {
  authorOfUser,
  findUserAuditEntries,
  findUserCounts,
  findUserDrafts,
  findUserTasks,
  type UserDraft,
  type UserPage,
  type UserTask,
} from '#src/storage/users/user-records.ts';
import { findUser, type User } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { toStateRecord } from '../../../records/device-record.ts';
import { toUserRecord } from '../../../records/user-record.ts';

type ExportRecord = Static<(typeof adminUserExport)['data']>['list'][number];

/** A user with the names by which other rows refer to the user. */
interface ExportedUser {
  readonly appId: string;
  readonly user: User;
  readonly names: UserNames;
  readonly devices: readonly ExportedDevice[];
}

/** Reads one page of a section after an ID. `next` is null if the section is complete. */
type ReadSection = (
  storage: Storage,
  exported: ExportedUser,
  after: bigint,
) => Promise<{ readonly list: ExportRecord[]; readonly next: bigint | null }>;

const GROUPS_PER_PAGE = 1_000;

/** The sections of an export, in their order. Each call reads one page of one section. */
const sections: Readonly<Record<string, ReadSection>> = {
  profile: async ({ home }, { appId, user, names, devices }) => {
    const tokens = await findTokensOfUser(home, appId, user.userId);
    return {
      list: [
        toRecord('user', { ...toUserRecord(user), aliases: names.aliases }),
        ...tokens.map(({ deviceId, createdAt, expiresAt }) =>
          toRecord('access_token', { of_device: deviceId !== null, created_at: createdAt, expires_at: expiresAt }),
        ),
        ...devices.map((device) => toRecord('device', toDevice(device))),
      ],
      next: null,
    };
  },
  groups: async ({ home }, { appId, user }, after) => {
    const groups = await findGroupsOfUser(home, appId, user.userId, after === 0n ? null : after, GROUPS_PER_PAGE);
    return {
      list: groups.map(({ groupId, name }) => toRecord('group', { group_id: groupId, name })),
      next: groups.length < GROUPS_PER_PAGE ? null : (groups.at(-1)?.groupId ?? null),
    };
  },
  tasks: async ({ home }, { appId, names }, after) => {
    const { rows, ...page } = await findUserTasks(home, appId, names, after);
    return { list: rows.flatMap((task) => toTask(task, names)), next: nextOf(page) };
  },
  drafts: async ({ home }, { appId, names }, after) => {
    const { rows, ...page } = await findUserDrafts(home, appId, names, after);
    return { list: rows.flatMap((draft) => toDraft(draft, names)), next: nextOf(page) };
  },
  counters: async ({ home }, { appId, user }, after) => {
    const { rows, ...page } = await findUserCounts(home, appId, user.userId, after);
    return {
      list: rows.map(({ taskId, ...counts }) => toRecord('counters', { task_id: taskId, ...counts })),
      next: nextOf(page),
    };
  },
  audit: async ({ home }, { appId, names }, after) => {
    const { rows, ...page } = await findUserAuditEntries(home, appId, names, after);
    return {
      list: rows.map(({ at, operation, detail }) =>
        toRecord('audit_entry', { at, operation, detail: parseJson(detail) }),
      ),
      next: nextOf(page),
    };
  },
};
const sectionNames = Object.keys(sections);

export const adminUserExportRoute: Route<typeof adminUserExport> = {
  operation: adminUserExport,
  handle: async ({ storage }, { app, body }) => {
    const [name = '', id = '0'] = (body.after ?? 'profile').split('.');
    const read = sections[name];
    const after = BigInt(id);
    if (!read || after > INT64_MAX) throw new Problem('bad-parameter', 'after must be `next` of an earlier response.');
    const exported = await findExportedUser(storage, app.appId, body.user_id);
    const { list, next } = await read(storage, exported, after);
    const nextName = sectionNames[sectionNames.indexOf(name) + 1] ?? null;
    return { list, next: next === null ? nextName : `${name}.${next}` };
  },
};

const nextOf = ({ last, isLastPage }: Pick<UserPage<unknown>, 'last' | 'isLastPage'>) => (isLastPage ? null : last);

async function findExportedUser(storage: Storage, appId: string, userId: bigint): Promise<ExportedUser> {
  const user = await findUser(storage.home, appId, { kind: 'user_id', userId });
  if (!user) throw new Problem('no-such-user');
  const databases = await findDatabasesOfUser(storage, { appId, userId });
  const devices = (await Promise.all(databases.map((db) => findDevicesToExport(db, appId, userId)))).flat();
  const names = {
    userId,
    aliases: await findAliasesOfUser(storage.home, appId, userId),
    pushTokens: devices.map(({ pushToken }) => pushToken),
    deviceGuids: devices.map(({ deviceGuid }) => deviceGuid),
  };
  return { appId, user, names, devices };
}

function toDevice(device: ExportedDevice) {
  return {
    device_guid: device.deviceGuid,
    push_token: device.pushToken,
    logged_in: device.loggedIn,
    alias: device.alias,
    tags: device.tags,
    badge: device.badge,
    bindings: device.bindings,
    inbox: device.inbox,
    seen_on: device.seenOn,
    registered_at: device.registeredAt,
    connected_since: device.connectedSince,
    state: device.reportedState && toStateRecord(device.reportedState),
  };
}

/** Returns the task without the names of other recipients, or nothing if the task does not concern the user. */
function toTask(task: UserTask, names: UserNames): ExportRecord[] {
  const { audience, message } = parseTaskContent(task.audienceText, task.messageText);
  const isAuthor = task.author === authorOfUser(names.userId);
  const isRecipient = withoutUser(audience, names) !== undefined;
  if (!isAuthor && !isRecipient) return [];
  const { taskId, requestId, acceptedAt, dueAt } = task;
  return [
    toRecord('task', {
      task_id: taskId,
      is_author: isAuthor,
      is_recipient: isRecipient,
      audience: audience.kind,
      request_id: requestId,
      message,
      accepted_at: acceptedAt,
      due_at: dueAt,
    }),
  ];
}

/** Returns the draft without the names of other recipients, or nothing if it does not concern the user. */
function toDraft({ draftId, author, bodyText, createdAt }: UserDraft, names: UserNames): ExportRecord[] {
  const { body, audience } = parseDraft(bodyText);
  const isAuthor = author === authorOfUser(names.userId);
  const isRecipient = withoutUser(audience, names) !== undefined;
  if (!isAuthor && !isRecipient) return [];
  const who = { is_author: isAuthor, is_recipient: isRecipient, audience: audience.kind };
  return [toRecord('draft', { draft_id: draftId, ...who, message: body.message, created_at: createdAt })];
}

function toRecord(kind: (typeof exportKinds)[number], record: Readonly<Record<string, unknown>>): ExportRecord {
  const withTimes = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, value instanceof Date ? value.getTime() : value]),
  );
  return { kind, record: stringifyJson(withTimes) };
}
