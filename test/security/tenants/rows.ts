import { channels } from '#src/domain/channel.ts';
import type { CallerName } from './callers.ts';
import { certificateRows } from './certificate-rows.ts';
import { draftRows } from './draft-rows.ts';
import { lookupRows } from './lookup-rows.ts';
import { operatorRows } from './operator-rows.ts';
import type { OwnApp } from './own-app.ts';
import { ALIAS, ann, CHOIR, lea, type NamedObjects, passwordIn, TAG, VENDOR_TOKEN } from './two-apps.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A request that names objects of the other app, and the response to callers that are allowed to make it. */
export interface Naming {
  readonly body: Fields;
  readonly code: number;
  /** The code for user tokens, if it differs. */
  readonly users?: number;
  readonly data?: unknown;
}

/** One operation with a valid request and its allowed callers. */
export interface Row {
  /** All other callers are rejected. Operations without a token accept every caller. */
  readonly allowedCallers: readonly CallerName[];
  /** The code for callers that are not allowed, if it is not 10010. */
  readonly otherwise?: Partial<Record<CallerName, number>>;
  readonly validRequest: (ours: OwnApp) => Fields | Promise<Fields>;
  /** Omitted if the request cannot name an object of another app. */
  readonly foreignRequests?: (their: NamedObjects, ours: OwnApp) => readonly Naming[] | Promise<readonly Naming[]>;
  /** The call revokes the token of the caller. */
  readonly spends?: true;
  /** Platform operators can reach every app with this operation, so only other callers try names of the other app. */
  readonly beyond?: true;
}

const users: readonly CallerName[] = ['a user', 'a user without a device'];
const pushes: readonly CallerName[] = ['push', '*', 'an admin for a user', 'an admin for a group'];
const readsSecrets: readonly CallerName[] = ['secrets', '*', 'an admin for a user', 'an admin for a group'];
const manages: readonly CallerName[] = ['manage', '*', 'an admin for a user'];
const operates: readonly CallerName[] = ['platform'];
const everybody: readonly CallerName[] = [];

/** Each valid request names Ann's phone, which Ann and admins can change. */
const device = (body: Fields): Row => ({
  allowedCallers: [...users, ...manages],
  validRequest: ({ app }) => ({ ...body, push_token: app.phone.push_token }),
  foreignRequests: ({ pushToken }) => [{ body: { ...body, push_token: pushToken }, code: 12008 }],
});

/** Uses a new user that no other request needs. */
const userRequest = (more: Fields = {}): Row => ({
  allowedCallers: manages,
  validRequest: async (ours) => ({ user_id: await ours.newUser(), ...more }),
  foreignRequests: ({ userId }) => [{ body: { user_id: userId, ...more }, code: 10000 }],
});

const message = { body: 'ours' };
const toUser = (userId: bigint): Fields => ({ audience: { user_id: [userId] }, message });
const HONOR = 8;
const nothingFound = { list: [], next: null };
const nothingReached = {
  devices: 0,
  first: Object.fromEntries(channels.map((channel) => [channel, 0])),
  waiting: 0,
  unreachable: 0,
  incomplete: false,
  cuts: [],
  demotions: [],
  previews: [],
  ignored: [],
};

/** All operations of the server. If a request destroys an object, the object is created first. */
export const rows: Readonly<Record<string, Row>> = {
  '/token/id': login(({ userId }) => ({ user_id: userId })),
  '/token/login': login(({ mobile }) => ({ login_name: mobile })),
  '/token/user': login(({ name }) => ({ name })),
  '/user/register': {
    allowedCallers: everybody,
    validRequest: ({ text }) => ({ name: `new-${text()}`, password: 'a new password', device_guid: text() }),
    // User names are unique only within an app.
    foreignRequests: ({ unused }) => [{ body: { name: unused.text, password: 'a new password' }, code: 200 }],
  },
  '/token/logout': { allowedCallers: users, validRequest: () => ({}), spends: true },
  '/user/password': {
    allowedCallers: users,
    validRequest: ({ app: { appId } }) => ({ old_password: passwordIn(appId), password: passwordIn(appId) }),
    foreignRequests: ({ password }) => [{ body: { old_password: password, password }, code: 10013 }],
    spends: true,
  },

  '/push/certificate': {
    allowedCallers: [...users, ...readsSecrets],
    validRequest: () => ({ provider: HONOR }),
    foreignRequests: ({ provider }) => [{ body: { provider }, code: 12007 }],
  },
  '/push/notify': {
    allowedCallers: [...users, ...pushes],
    validRequest: () => toUser(ann.userId),
    foreignRequests: ({ userId, pushToken, tag, alias, requestId }) => [
      { body: toUser(userId), code: 200, users: 10010 },
      { body: { audience: { push_token: [pushToken] }, message }, code: 200, users: 10010 },
      { body: { audience: { tag: [tag] }, message }, code: 200, users: 10010 },
      { body: { audience: { alias: [alias] }, message }, code: 200, users: 10010 },
      { body: { ...toUser(ann.userId), setting: { request_id: requestId } }, code: 200 },
    ],
  },
  '/push/task/detail': {
    allowedCallers: [...users, ...pushes],
    validRequest: ({ taskId }) => ({ list: [taskId] }),
    foreignRequests: ({ taskId, oldTaskId }) => [{ body: { list: [taskId, oldTaskId] }, code: 200, data: [] }],
  },

  '/push/validate': {
    allowedCallers: [...users, ...pushes],
    validRequest: () => toUser(ann.userId),
    foreignRequests: ({ userId, pushToken, tag, alias }) =>
      [{ user_id: [userId] }, { push_token: [pushToken] }, { tag: [tag] }, { alias: [alias] }].map((audience) => ({
        body: { audience, message },
        code: 200,
        users: 10010,
        data: nothingReached,
      })),
  },
  ...draftRows,
  ...lookupRows,
  '/push/task/list': {
    allowedCallers: [...users, ...pushes],
    validRequest: () => ({}),
    // Starts after all tasks of the other app. Without the condition on the app, those tasks would be returned first.
    foreignRequests: ({ taskId }) => [{ body: { after: taskId + 1_000n, limit: 3 }, code: 200 }],
  },
  '/push/task/cancel': {
    allowedCallers: [...users, 'push', '*', 'an admin for a user'],
    // The task belongs to Ann and not to the group, so the group's admin cannot see it.
    otherwise: { 'an admin for a group': 12011 },
    validRequest: ({ taskId }) => ({ task_id: taskId }),
    foreignRequests: ({ taskId, oldTaskId }) => [
      { body: { task_id: taskId }, code: 12011 },
      { body: { task_id: taskId, recall: true }, code: 12011 },
      { body: { task_id: oldTaskId, recall: true }, code: 12011 },
    ],
  },
  '/push/task/report': {
    allowedCallers: [...users, 'push', '*', 'an admin for a user'],
    otherwise: { 'an admin for a group': 12011 },
    validRequest: ({ taskId }) => ({ task_id: taskId }),
    foreignRequests: ({ taskId, oldTaskId }) => [
      { body: { task_id: taskId }, code: 12011 },
      { body: { task_id: oldTaskId }, code: 12011 },
    ],
  },
  '/push/task/trace': {
    allowedCallers: [...users, 'push', '*', 'an admin for a user'],
    otherwise: { 'an admin for a group': 12011 },
    validRequest: ({ taskId, app }) => ({ task_id: taskId, push_token: app.phone.push_token }),
    foreignRequests: ({ taskId, pushToken, userId }, ours) => [
      { body: { task_id: taskId, push_token: ours.app.phone.push_token }, code: 12011 },
      { body: { task_id: ours.taskId, push_token: pushToken }, code: 12008 },
      { body: { task_id: ours.taskId, user_id: userId }, code: 10000, users: 10010 },
    ],
  },

  '/device/bind': device({ provider: 1, token: VENDOR_TOKEN }),
  '/device/unbind': device({ provider: 1 }),
  '/device/list': {
    allowedCallers: [...users, 'an admin for a user'],
    otherwise: { manage: 10002, '*': 10002 },
    validRequest: () => ({}),
  },
  '/device/tag': device({ add: [TAG] }),
  '/device/alias': {
    ...device({ alias: ALIAS }),
    foreignRequests: ({ pushToken, unused }, { app }) => [
      { body: { alias: ALIAS, push_token: pushToken }, code: 12008 },
      { body: { alias: unused.text, push_token: app.phone.push_token }, code: 200 },
    ],
  },
  '/device/badge': device({ badge: 3 }),
  '/device/state': device({ notifications: 'denied' }),
  '/device/receipt': {
    ...device({ list: ['1.2.3'] }),
    foreignRequests: ({ pushToken, reference }, { app }) => [
      { body: { list: [reference], push_token: pushToken }, code: 12008 },
      { body: { list: [reference], push_token: app.phone.push_token }, code: 200, data: { received: 0 } },
    ],
  },

  '/admin/app/get': { allowedCallers: manages, validRequest: () => ({}) },
  '/admin/app/update': { allowedCallers: manages, validRequest: () => ({ token_days: 90 }) },
  '/admin/app/create': {
    allowedCallers: operates,
    beyond: true,
    validRequest: ({ text }) => ({ new_app_id: text(), name: 'new' }),
    foreignRequests: ({ appId }) => [{ body: { new_app_id: appId, name: 'new' }, code: 10004 }],
  },
  '/admin/app/list': { allowedCallers: operates, beyond: true, validRequest: () => ({}) },
  '/admin/app/ceilings': {
    allowedCallers: operates,
    beyond: true,
    validRequest: async (ours) => ({ target_app_id: await ours.newApp(), devices: 1_000_000 }),
    foreignRequests: ({ appId }) => [{ body: { target_app_id: appId, devices: 1_000_000 }, code: 200 }],
  },
  '/admin/app/disable': {
    allowedCallers: operates,
    beyond: true,
    validRequest: async (ours) => ({ target_app_id: await ours.newApp() }),
    foreignRequests: ({ appId }) => [{ body: { target_app_id: appId }, code: 200 }],
  },
  '/admin/app/enable': {
    allowedCallers: operates,
    beyond: true,
    validRequest: async (ours) => ({ target_app_id: await ours.newApp() }),
    foreignRequests: ({ appId }) => [{ body: { target_app_id: appId }, code: 200 }],
  },

  '/admin/task/quarantined': { allowedCallers: manages, validRequest: () => ({}) },
  '/admin/task/retry': {
    allowedCallers: manages,
    validRequest: ({ taskId }) => ({ task_id: taskId }),
    foreignRequests: ({ taskId, oldTaskId }) => [
      { body: { task_id: taskId }, code: 12011 },
      { body: { task_id: oldTaskId }, code: 12011 },
    ],
  },
  '/admin/token/create': {
    allowedCallers: manages,
    validRequest: () => ({ name: 'ours', scopes: ['manage'], days: 1 }),
  },
  '/admin/token/list': { allowedCallers: manages, validRequest: () => ({}) },
  '/admin/token/revoke': {
    allowedCallers: manages,
    validRequest: async (ours) => ({ token_id: await ours.newToken() }),
    foreignRequests: ({ tokenId }) => [{ body: { token_id: tokenId }, code: 10002 }],
  },

  '/admin/user/create': {
    allowedCallers: manages,
    validRequest: ({ text }) => ({ name: `new-${text()}` }),
    // An id or a name that another app uses is still available.
    foreignRequests: ({ unused }) => [
      { body: { user_id: unused.id }, code: 200 },
      { body: { name: unused.text }, code: 200 },
    ],
  },
  '/admin/user/find': {
    allowedCallers: manages,
    validRequest: () => ({ user_id: ann.userId }),
    foreignRequests: ({ userId, name, mobile, email }) =>
      [{ user_id: userId }, { name }, { mobile }, { email }].map((body) => ({ body, code: 10000 })),
  },
  '/admin/user/list': {
    allowedCallers: manages,
    validRequest: () => ({}),
    foreignRequests: ({ userId }) => [{ body: { after: userId - 1n, limit: 3 }, code: 200 }],
  },
  '/admin/user/update': {
    allowedCallers: manages,
    validRequest: async (ours) => ({ user_id: await ours.newUser(), name: `new-${ours.text()}` }),
    foreignRequests: async ({ userId, unused }, ours) => [
      { body: { user_id: userId, name: `new-${ours.text()}` }, code: 10000 },
      { body: { user_id: await ours.newUser(), name: unused.text }, code: 200 },
    ],
  },
  '/admin/user/password': userRequest({ password: 'another password' }),
  '/admin/user/kick': userRequest(),
  '/admin/user/disable': userRequest(),
  '/admin/user/enable': userRequest(),
  '/admin/user/token': {
    ...userRequest(),
    validRequest: async (ours) => ({ user_id: await ours.newUser(), device_guid: ours.app.tablet.deviceGuid }),
    foreignRequests: ({ userId, deviceGuid }) => [{ body: { user_id: userId, device_guid: deviceGuid }, code: 10000 }],
  },
  '/admin/user/delete': userRequest(),
  '/admin/user/erase': userRequest(),
  '/admin/user/erasures': {
    allowedCallers: manages,
    validRequest: () => ({}),
    foreignRequests: ({ userId }) => [{ body: { user_id: userId }, code: 200, data: nothingFound }],
  },
  '/admin/user/export': {
    ...userRequest(),
    validRequest: () => ({ user_id: ann.userId, after: 'tasks' }),
    foreignRequests: ({ userId }) => [
      { body: { user_id: userId }, code: 10000 },
      { body: { user_id: userId, after: 'audit' }, code: 10000 },
    ],
  },

  '/admin/group/create': {
    allowedCallers: manages,
    validRequest: () => ({ name: 'ours' }),
    foreignRequests: ({ unused }) => [{ body: { group_id: unused.id, name: 'ours' }, code: 200 }],
  },
  '/admin/group/list': {
    allowedCallers: manages,
    validRequest: () => ({}),
    foreignRequests: ({ groupId }) => [{ body: { after: groupId - 1n, limit: 3 }, code: 200 }],
  },
  '/admin/group/add': {
    allowedCallers: manages,
    validRequest: () => ({ group_id: CHOIR, list: [lea.userId] }),
    foreignRequests: ({ groupId, userId }) => [
      { body: { group_id: groupId, list: [lea.userId] }, code: 20001 },
      { body: { group_id: CHOIR, list: [userId] }, code: 10000 },
    ],
  },
  '/admin/group/members': {
    allowedCallers: manages,
    validRequest: () => ({ group_id: CHOIR }),
    foreignRequests: ({ groupId }) => [{ body: { group_id: groupId }, code: 20001 }],
  },
  '/admin/group/remove': {
    allowedCallers: manages,
    validRequest: () => ({ group_id: CHOIR, list: [lea.userId] }),
    foreignRequests: ({ groupId, userId }) => [
      { body: { group_id: groupId, list: [userId] }, code: 20001 },
      { body: { group_id: CHOIR, list: [userId] }, code: 200 },
    ],
  },
  '/admin/group/delete': {
    allowedCallers: manages,
    validRequest: async (ours) => ({ group_id: await ours.newGroup() }),
    foreignRequests: ({ groupId }) => [{ body: { group_id: groupId }, code: 20001 }],
  },

  '/admin/device/find': {
    allowedCallers: manages,
    validRequest: ({ app }) => ({ device_guid: app.phone.deviceGuid }),
    foreignRequests: ({ pushToken, deviceGuid, userId, alias, tag }) =>
      [{ push_token: pushToken }, { device_guid: deviceGuid }, { user_id: userId }, { alias }, { tag }].map((body) => ({
        body,
        code: 200,
        data: { ...nothingFound, incomplete: false },
      })),
  },
  '/admin/device/get': {
    allowedCallers: manages,
    validRequest: ({ app }) => ({ push_token: app.phone.push_token }),
    foreignRequests: ({ pushToken }) => [{ body: { push_token: pushToken }, code: 12008 }],
  },
  '/admin/device/logout': {
    allowedCallers: manages,
    validRequest: async (ours) => ({ push_token: (await ours.newPhone()).push_token }),
    foreignRequests: ({ pushToken }) => [{ body: { push_token: pushToken }, code: 12008 }],
  },
  '/admin/device/delete': {
    allowedCallers: manages,
    validRequest: async (ours) => ({ device_guid: (await ours.newPhone()).deviceGuid }),
    foreignRequests: ({ pushToken, deviceGuid }) =>
      [{ push_token: pushToken }, { device_guid: deviceGuid }].map((body) => ({ body, code: 12008 })),
  },
  '/admin/audit/verify': {
    allowedCallers: operates,
    validRequest: () => ({}),
  },
  '/admin/ledger/verify': {
    allowedCallers: manages,
    validRequest: () => ({ after: 't0.0.0.1' }),
    // Starts at a task of the other app. Without the condition on the app, that task would be verified.
    foreignRequests: ({ taskId }) => [{ body: { after: `t${taskId}.0.0.1` }, code: 200 }],
  },
  ...certificateRows,
  ...operatorRows,
};

/**
 * A login on a GUID that both apps have. Users of the other app cannot log in to our app, and their passwords are not
 * valid in it.
 */
function login(names: (user: Pick<NamedObjects, 'userId' | 'name' | 'mobile'>) => Fields): Row {
  return {
    allowedCallers: everybody,
    validRequest: ({ app }) => ({
      ...names(lea),
      password: passwordIn(app.appId),
      device_guid: app.tablet.deviceGuid,
    }),
    foreignRequests: (their) => [
      { body: { ...names(their), password: their.password }, code: 10013 },
      { body: { ...names(lea), password: their.password }, code: 10013 },
    ],
  };
}
