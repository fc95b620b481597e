import { channels } from '#src/domain/channel.ts';
import type { CallerName } from './callers.ts';
import type { Ours } from './own-app.ts';
import { ALIAS, ann, CHOIR, lea, passwordIn, TAG, type Things, VENDOR_TOKEN } from './two-apps.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request that names what only the other app has, and what whoever may make it is answered. */
export interface Naming {
  readonly body: Fields;
  readonly code: number;
  /** For user tokens, where it is another. */
  readonly users?: number;
  readonly data?: unknown;
}

/** One operation: a good request for it, and who may make it. */
export interface Row {
  /** Everybody else is refused; operations without a token are for everybody. */
  readonly may: readonly CallerName[];
  /** The code for those who may not, where it is not 10010. */
  readonly otherwise?: Partial<Record<CallerName, number>>;
  readonly good: (ours: Ours) => Fields | Promise<Fields>;
  /** Absent: there is nothing in the request that could name another app's. */
  readonly theirs?: (their: Things, ours: Ours) => readonly Naming[] | Promise<readonly Naming[]>;
  /** The caller's token ends with it. */
  readonly spends?: true;
  /** Operators of the whole installation reach every app by it, so only the others are tried with what is theirs. */
  readonly beyond?: true;
}

const users: readonly CallerName[] = ['a user', 'a user without a device'];
const pushes: readonly CallerName[] = ['push', '*', 'an admin for a user', 'an admin for a group'];
const readsSecrets: readonly CallerName[] = ['secrets', '*', 'an admin for a user', 'an admin for a group'];
const manages: readonly CallerName[] = ['manage', '*', 'an admin for a user'];
const operates: readonly CallerName[] = ['platform'];
const everybody: readonly CallerName[] = [];

/** The device is Ann's in each good request: hers to change, and an admin's. */
const device = (body: Fields): Row => ({
  may: [...users, ...manages],
  good: ({ app }) => ({ ...body, push_token: app.phone.push_token }),
  theirs: ({ pushToken }) => [{ body: { ...body, push_token: pushToken }, code: 12008 }],
});

/** Somebody whom nobody needs afterwards. */
const somebody = (more: Fields = {}): Row => ({
  may: manages,
  good: async (ours) => ({ user_id: await ours.newUser(), ...more }),
  theirs: ({ userId }) => [{ body: { user_id: userId, ...more }, code: 10000 }],
});

const message = { body: 'ours' };
const toUser = (userId: bigint): Fields => ({ audience: { user_id: [userId] }, message });
const honor = { name: 'Honor', app_id: '104400151', app_key: 'client-id', app_secret: 'client-secret' };
const HUAWEI = 2;
const HONOR = 8;
const nothingFound = { list: [], next: null };
const nothingReached = {
  devices: 0,
  first: Object.fromEntries(channels.map((channel) => [channel, 0])),
  waiting: 0,
  unreachable: 0,
  cuts: [],
  demotions: [],
};

/** Each operation of the server. What destroys something destroys what was made for it. */
export const rows: Readonly<Record<string, Row>> = {
  '/token/id': login(({ userId }) => ({ user_id: userId })),
  '/token/login': login(({ mobile }) => ({ login_name: mobile })),
  '/token/user': login(({ name }) => ({ name })),
  '/user/register': {
    may: everybody,
    good: ({ text }) => ({ name: `new-${text()}`, password: 'a new password', device_guid: text() }),
    // Names are taken app by app.
    theirs: ({ unused }) => [{ body: { name: unused.text, password: 'a new password' }, code: 200 }],
  },
  '/token/logout': { may: users, good: () => ({}), spends: true },

  '/push/certificate': {
    may: [...users, ...readsSecrets],
    good: () => ({ provider: HONOR }),
    theirs: ({ provider }) => [{ body: { provider }, code: 12007 }],
  },
  '/push/notify': {
    may: [...users, ...pushes],
    good: () => toUser(ann.userId),
    theirs: ({ userId, pushToken, tag, alias, requestId }) => [
      { body: toUser(userId), code: 200, users: 10010 },
      { body: { audience: { push_token: [pushToken] }, message }, code: 200, users: 10010 },
      { body: { audience: { tag: [tag] }, message }, code: 200, users: 10010 },
      { body: { audience: { alias: [alias] }, message }, code: 200, users: 10010 },
      { body: { ...toUser(ann.userId), setting: { request_id: requestId } }, code: 200 },
    ],
  },
  '/push/task/detail': {
    may: [...users, ...pushes],
    good: ({ taskId }) => ({ list: [taskId] }),
    theirs: ({ taskId, oldTaskId }) => [{ body: { list: [taskId, oldTaskId] }, code: 200, data: [] }],
  },

  '/push/validate': {
    may: [...users, ...pushes],
    good: () => toUser(ann.userId),
    theirs: ({ userId, pushToken, tag, alias }) =>
      [{ user_id: [userId] }, { push_token: [pushToken] }, { tag: [tag] }, { alias: [alias] }].map((audience) => ({
        body: { audience, message },
        code: 200,
        users: 10010,
        data: nothingReached,
      })),
  },
  '/push/task/list': {
    may: [...users, ...pushes],
    good: () => ({}),
    // From behind all of theirs: without a look at the app they would come first.
    theirs: ({ taskId }) => [{ body: { after: taskId + 1_000n, limit: 3 }, code: 200 }],
  },
  '/push/task/cancel': {
    may: [...users, 'push', '*', 'an admin for a user'],
    // It is Ann's and not the group's, so for the group's admin it is not there.
    otherwise: { 'an admin for a group': 10002 },
    good: ({ taskId }) => ({ task_id: taskId }),
    theirs: ({ taskId, oldTaskId }) => [
      { body: { task_id: taskId }, code: 10002 },
      { body: { task_id: oldTaskId }, code: 10002 },
    ],
  },
  '/push/task/trace': {
    may: [...users, 'push', '*', 'an admin for a user'],
    otherwise: { 'an admin for a group': 10002 },
    good: ({ taskId, app }) => ({ task_id: taskId, push_token: app.phone.push_token }),
    theirs: ({ taskId, pushToken, userId }, ours) => [
      { body: { task_id: taskId, push_token: ours.app.phone.push_token }, code: 10002 },
      { body: { task_id: ours.taskId, push_token: pushToken }, code: 12008 },
      { body: { task_id: ours.taskId, user_id: userId }, code: 10000, users: 10010 },
    ],
  },

  '/device/bind': device({ provider: 1, token: VENDOR_TOKEN }),
  '/device/unbind': device({ provider: 1 }),
  '/device/list': {
    may: [...users, 'an admin for a user'],
    otherwise: { manage: 10002, '*': 10002 },
    good: () => ({}),
  },
  '/device/tag': device({ add: [TAG] }),
  '/device/alias': {
    ...device({ alias: ALIAS }),
    theirs: ({ pushToken, unused }, { app }) => [
      { body: { alias: ALIAS, push_token: pushToken }, code: 12008 },
      { body: { alias: unused.text, push_token: app.phone.push_token }, code: 200 },
    ],
  },
  '/device/badge': device({ badge: 3 }),
  '/device/receipt': {
    ...device({ list: ['1.2.3'] }),
    theirs: ({ pushToken, reference }, { app }) => [
      { body: { list: [reference], push_token: pushToken }, code: 12008 },
      { body: { list: [reference], push_token: app.phone.push_token }, code: 200, data: { received: 0 } },
    ],
  },

  '/admin/app/get': { may: manages, good: () => ({}) },
  '/admin/app/update': { may: manages, good: () => ({ token_days: 90 }) },
  '/admin/app/create': {
    may: operates,
    beyond: true,
    good: ({ text }) => ({ new_app_id: text(), name: 'new' }),
    theirs: ({ appId }) => [{ body: { new_app_id: appId, name: 'new' }, code: 10004 }],
  },
  '/admin/app/list': { may: operates, beyond: true, good: () => ({}) },
  '/admin/app/disable': {
    may: operates,
    beyond: true,
    good: async (ours) => ({ target_app_id: await ours.newApp() }),
    theirs: ({ appId }) => [{ body: { target_app_id: appId }, code: 200 }],
  },
  '/admin/app/enable': {
    may: operates,
    beyond: true,
    good: async (ours) => ({ target_app_id: await ours.newApp() }),
    theirs: ({ appId }) => [{ body: { target_app_id: appId }, code: 200 }],
  },

  '/admin/token/create': { may: manages, good: () => ({ name: 'ours', scopes: ['manage'], days: 1 }) },
  '/admin/token/list': { may: manages, good: () => ({}) },
  '/admin/token/revoke': {
    may: manages,
    good: async (ours) => ({ token_id: await ours.newToken() }),
    theirs: ({ tokenId }) => [{ body: { token_id: tokenId }, code: 10002 }],
  },

  '/admin/user/create': {
    may: manages,
    good: ({ text }) => ({ name: `new-${text()}` }),
    // Neither an ID nor a name is taken by somebody of another app.
    theirs: ({ unused }) => [
      { body: { user_id: unused.id }, code: 200 },
      { body: { name: unused.text }, code: 200 },
    ],
  },
  '/admin/user/find': {
    may: manages,
    good: () => ({ user_id: ann.userId }),
    theirs: ({ userId, name, mobile, email }) =>
      [{ user_id: userId }, { name }, { mobile }, { email }].map((body) => ({ body, code: 10000 })),
  },
  '/admin/user/list': {
    may: manages,
    good: () => ({}),
    theirs: ({ userId }) => [{ body: { after: userId - 1n, limit: 3 }, code: 200 }],
  },
  '/admin/user/update': {
    may: manages,
    good: async (ours) => ({ user_id: await ours.newUser(), name: `new-${ours.text()}` }),
    theirs: async ({ userId, unused }, ours) => [
      { body: { user_id: userId, name: `new-${ours.text()}` }, code: 10000 },
      { body: { user_id: await ours.newUser(), name: unused.text }, code: 200 },
    ],
  },
  '/admin/user/password': somebody({ password: 'another password' }),
  '/admin/user/kick': somebody(),
  '/admin/user/disable': somebody(),
  '/admin/user/enable': somebody(),
  '/admin/user/token': {
    ...somebody(),
    good: async (ours) => ({ user_id: await ours.newUser(), device_guid: ours.app.tablet.deviceGuid }),
    theirs: ({ userId, deviceGuid }) => [{ body: { user_id: userId, device_guid: deviceGuid }, code: 10000 }],
  },
  '/admin/user/delete': somebody(),

  '/admin/group/create': {
    may: manages,
    good: () => ({ name: 'ours' }),
    theirs: ({ unused }) => [{ body: { group_id: unused.id, name: 'ours' }, code: 200 }],
  },
  '/admin/group/list': {
    may: manages,
    good: () => ({}),
    theirs: ({ groupId }) => [{ body: { after: groupId - 1n, limit: 3 }, code: 200 }],
  },
  '/admin/group/add': {
    may: manages,
    good: () => ({ group_id: CHOIR, list: [lea.userId] }),
    theirs: ({ groupId, userId }) => [
      { body: { group_id: groupId, list: [lea.userId] }, code: 20001 },
      { body: { group_id: CHOIR, list: [userId] }, code: 10000 },
    ],
  },
  '/admin/group/members': {
    may: manages,
    good: () => ({ group_id: CHOIR }),
    theirs: ({ groupId }) => [{ body: { group_id: groupId }, code: 20001 }],
  },
  '/admin/group/remove': {
    may: manages,
    good: () => ({ group_id: CHOIR, list: [lea.userId] }),
    theirs: ({ groupId, userId }) => [
      { body: { group_id: groupId, list: [userId] }, code: 20001 },
      { body: { group_id: CHOIR, list: [userId] }, code: 200 },
    ],
  },
  '/admin/group/delete': {
    may: manages,
    good: async (ours) => ({ group_id: await ours.newGroup() }),
    theirs: ({ groupId }) => [{ body: { group_id: groupId }, code: 20001 }],
  },

  '/admin/certificate/save': { may: manages, good: () => ({ provider: HONOR, ...honor }) },
  '/admin/certificate/list': { may: manages, good: () => ({}) },
  '/admin/channel/list': { may: manages, good: () => ({}) },
  '/admin/certificate/check': {
    may: manages,
    good: async (ours) => {
      await ours.saveHonor();
      return { provider: HONOR };
    },
    theirs: ({ provider }) => [{ body: { provider }, code: 12007 }],
  },
  '/admin/certificate/callback': {
    may: ['secrets', '*', 'an admin for a user'],
    // Both apps have one: only ours becomes another.
    good: () => ({ provider: HUAWEI, renew: true }),
  },
  '/admin/certificate/delete': {
    may: manages,
    good: async (ours) => {
      await ours.saveHonor();
      return { provider: HONOR };
    },
    theirs: ({ provider }) => [{ body: { provider }, code: 12007 }],
  },

  '/admin/device/find': {
    may: manages,
    good: ({ app }) => ({ device_guid: app.phone.deviceGuid }),
    theirs: ({ pushToken, deviceGuid, userId, alias, tag }) =>
      [{ push_token: pushToken }, { device_guid: deviceGuid }, { user_id: userId }, { alias }, { tag }].map((body) => ({
        body,
        code: 200,
        data: nothingFound,
      })),
  },
  '/admin/device/delete': {
    may: manages,
    good: async (ours) => ({ device_guid: (await ours.newPhone()).deviceGuid }),
    theirs: ({ pushToken, deviceGuid }) =>
      [{ push_token: pushToken }, { device_guid: deviceGuid }].map((body) => ({ body, code: 12008 })),
  },
  '/admin/audit/list': {
    may: manages,
    good: () => ({ limit: 500 }),
    theirs: ({ auditId }) => [{ body: { after: auditId + 1n }, code: 200 }],
  },
  '/admin/ledger/verify': {
    may: manages,
    good: () => ({ after: 't0.0.0.1' }),
    // From theirs on: without a look at the app it would be looked at.
    theirs: ({ taskId }) => [{ body: { after: `t${taskId}.0.0.1` }, code: 200 }],
  },
};

/** A login on a guid that both apps have. Their people cannot log in here, nor anybody with the password they have there. */
function login(names: (person: Pick<Things, 'userId' | 'name' | 'mobile'>) => Fields): Row {
  return {
    may: everybody,
    good: ({ app }) => ({
      ...names(lea),
      password: passwordIn(app.appId),
      device_guid: app.tablet.deviceGuid,
    }),
    theirs: (their) => [
      { body: { ...names(their), password: their.password }, code: 10013 },
      { body: { ...names(lea), password: their.password }, code: 10013 },
    ],
  };
}
