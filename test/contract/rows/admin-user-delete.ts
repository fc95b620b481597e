import { apps, tokens } from './fixtures.ts';
import { type Call, type Expect, fromResponse, ok, type Row, refused } from './row.ts';
import {
  bodyRows,
  createdUserId,
  createGroup,
  createUser,
  findUser,
  idRows,
  logInCreatedUser,
  manage,
  rule as ruleOf,
  rules as rulesOf,
  use,
} from './user-calls.ts';

const path = '/admin/user/delete';
const nothing: Expect = { code: 200, text: /^\{"code":200,"data":\{\},"message":null\}$/ };
const erase: Call = manage(path, { user_id: createdUserId });
const token = (n: number) => fromResponse(n, 'token');
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect) =>
  ruleOf(path, sentence, before, call, expect);

/** Creates a user with a device that has a tag, an alias and a binding. */
const onPhone = (guid: string): readonly Call[] => [
  createUser(),
  logInCreatedUser({ device_guid: guid }),
  { path: '/device/tag', token: token(1), body: { add: [`tag-${guid}`] } },
  { path: '/device/alias', token: token(1), body: { alias: `alias-${guid}` } },
  { path: '/device/bind', token: token(1), body: { provider: 3, token: `vendor-${guid}` } },
];
const findDevice = (body: object) => manage('/admin/device/find', body);
const none: Expect = { code: 200, rows: [] };

export const adminUserDeleteGroup: readonly Row[] = [
  ...bodyRows([createUser()], erase, nothing),
  ...idRows(
    { path, token: tokens.manage, before: [createUser()], body: { user_id: createdUserId }, taken: () => nothing },
    'user_id',
  ),
  rule(
    'a deleted user is not found: 10000',
    [createUser(), erase],
    findUser({ user_id: createdUserId }),
    refused(10000),
  ),
  rulesOf(path, 'a deleted user cannot log in, with or without a password: 10013, 10000', [
    {
      before: [createUser({ user_id: 33_001, name: 'erased', password: 'a password' }), erase],
      call: { path: '/token/user', token: null, body: { name: 'erased', password: 'a password' } },
      expect: refused(10013),
    },
    {
      call: { path: '/token/id', token: null, body: { user_id: 33_001, password: 'a password' } },
      expect: refused(10013),
    },
    { call: manage('/admin/user/token', { user_id: 33_001 }), expect: refused(10000) },
    { call: manage('/admin/user/list', { limit: 1 }, { headers: { user_id: '33001' } }), expect: refused(10000) },
  ]),
  rulesOf(path, 'the access tokens of a deleted user are rejected: 10008', [
    { before: [createUser(), logInCreatedUser(), erase], call: use(token(1)), expect: refused(10008) },
    { before: [...onPhone('erase-1'), erase], call: use(token(1)), expect: refused(10008) },
  ]),
  rulesOf(path, 'the devices of a deleted user are not found', [
    { before: [...onPhone('erase-2'), erase], call: findDevice({ device_guid: 'erase-2' }), expect: none },
    { call: findDevice({ alias: 'alias-erase-2' }), expect: none },
    { call: findDevice({ tag: 'tag-erase-2' }), expect: none },
    {
      before: [...onPhone('erase-3'), erase],
      call: findDevice({ push_token: fromResponse(1, 'push_token') }),
      expect: none,
    },
    { before: [...onPhone('erase-4'), erase], call: findDevice({ user_id: createdUserId }), expect: none },
  ]),
  rule(
    'another user can use the alias of a deleted user',
    [
      ...onPhone('erase-5'),
      erase,
      createUser(),
      manage('/admin/user/token', { user_id: fromResponse(6, 'user_id'), device_guid: 'erase-5b' }),
    ],
    { path: '/device/alias', token: token(7), body: { alias: 'alias-erase-5' } },
    ok,
  ),
  rule(
    'another device can bind the vendor token of a deleted user',
    [
      ...onPhone('erase-6'),
      erase,
      createUser(),
      manage('/admin/user/token', { user_id: fromResponse(6, 'user_id'), device_guid: 'erase-6b' }),
    ],
    { path: '/device/bind', token: token(7), body: { provider: 3, token: 'vendor-erase-6' } },
    { code: 200, binding: { token: 'vendor-erase-6', channel: 'xiaomi', environment: 1 } },
  ),
  rule(
    'a later login with the same device_guid creates a new device',
    [
      ...onPhone('erase-7'),
      erase,
      createUser(),
      manage('/admin/user/token', { user_id: fromResponse(6, 'user_id'), device_guid: 'erase-7' }),
    ],
    findDevice({ device_guid: 'erase-7' }),
    { code: 200, rows: [{ user_id: fromResponse(6, 'user_id'), alias: null, tags: [], bindings: [] }] },
  ),
  rule(
    'removes the user from groups',
    [
      createUser(),
      createGroup({ group_id: 33_000 }),
      manage('/admin/group/add', { group_id: 33_000, list: [createdUserId] }),
      erase,
    ],
    manage('/admin/group/members', { group_id: 33_000 }),
    none,
  ),
  rule('can be repeated', [createUser(), logInCreatedUser({ device_guid: 'erase-8' }), erase], erase, nothing),
  rule(
    'the ID of a deleted user cannot be reused: 10004',
    [createUser({ user_id: 33_002 }), erase, erase],
    createUser({ user_id: 33_002 }),
    refused(10004),
  ),
  rule(
    'deletes a disabled user',
    [createUser(), manage('/admin/user/disable', { user_id: createdUserId }), erase],
    findUser({ user_id: createdUserId }),
    refused(10000),
  ),
  rule(
    'leaves a user with the same ID in another app unchanged',
    [
      createUser({ user_id: 33_003 }),
      createUser({ user_id: 33_003, name: 'namesake' }, { app: apps.other, token: tokens.otherAdmin }),
      erase,
    ],
    findUser({ user_id: 33_003 }, { app: apps.other, token: tokens.otherAdmin }),
    { code: 200, data: { name: 'namesake' } },
  ),
  rule(
    'a request without permission changes nothing',
    [
      createUser(),
      logInCreatedUser(),
      ...[tokens.push, tokens.secrets, tokens.scopeless, tokens.ann, tokens.otherAdmin, null].map((one) => ({
        ...erase,
        token: one,
      })),
      { ...erase, headers: { group_id: '3' } },
      { ...erase, token: token(1) },
    ],
    use(token(1)),
    ok,
  ),
  rule(
    'ignores unknown fields',
    [createUser()],
    manage(path, { user_id: createdUserId, name: 'ann', list: [7] }),
    nothing,
  ),
];
