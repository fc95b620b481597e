import { apps, groups, tokens, users } from './fixtures.ts';
import { type Call, type Expect, fromResponse, ok, type Row, refused } from './row.ts';
import {
  createdUserId,
  createUser,
  logInCreatedUser,
  manage,
  rule as ruleOf,
  rules as rulesOf,
  use,
} from './user-calls.ts';

const path = '/token/logout';
const token = (n: number) => fromResponse(n, 'token');
const logOut = (n: number, call: Partial<Call> = {}): Call => ({ path, token: token(n), ...call });
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect) =>
  ruleOf(path, sentence, before, call, expect);

/** Calls that create a user for one row and log the user in without a device. */
const loggedInUser = [createUser(), logInCreatedUser()];
/** Returns calls that create a user with a device that has a tag, an alias and a vendor token. */
const onPhone = (guid: string): readonly Call[] => [
  createUser(),
  logInCreatedUser({ device_guid: guid }),
  { path: '/device/tag', token: token(1), body: { add: ['news'] } },
  { path: '/device/alias', token: token(1), body: { alias: `alias-${guid}` } },
  { path: '/device/bind', token: token(1), body: { provider: 3, token: `vendor-${guid}` } },
];
const findDevice = (body: object) => manage('/admin/device/find', body);

const ends: readonly Row[] = [
  rule('returns empty data', loggedInUser, logOut(1), {
    code: 200,
    text: /^\{"code":200,"data":\{\},"message":null\}$/,
  }),
  rule(
    'the access token is rejected after the logout: 10008',
    [...loggedInUser, logOut(1)],
    use(token(1)),
    refused(10008),
  ),
  rule(
    'a second logout is rejected like any other call: 10008',
    [...loggedInUser, logOut(1)],
    logOut(1),
    refused(10008),
  ),
  rule(
    'other logins of the user stay valid',
    [...loggedInUser, logInCreatedUser(), logInCreatedUser({ device_guid: 'logout-stays' }), logOut(1)],
    use(token(2)),
    ok,
  ),
  rule(
    'a logout without a device does not log out any device',
    [...loggedInUser, logInCreatedUser({ device_guid: 'logout-stays-2' }), logOut(1)],
    findDevice({ device_guid: 'logout-stays-2' }),
    { code: 200, rows: [{ user_id: createdUserId, push_token: fromResponse(2, 'push_token') }] },
  ),
  rule('other users stay logged in', [...loggedInUser, logOut(1)], { path: '/device/list', token: tokens.ann }, ok),
];

const device: readonly Row[] = [
  rule(
    'a logout with a device removes the user, alias, tags and bindings of the device',
    [...onPhone('logout-1'), logOut(1)],
    findDevice({ device_guid: 'logout-1' }),
    { code: 200, rows: [{ user_id: null, alias: null, tags: [], bindings: [] }] },
  ),
  rulesOf(path, 'before the logout, the device has its user, alias and tags', [
    {
      before: onPhone('logout-2'),
      call: findDevice({ device_guid: 'logout-2' }),
      expect: { code: 200, rows: [{ user_id: createdUserId, alias: 'alias-logout-2', tags: ['news'] }] },
    },
  ]),
  rule(
    'the push token no longer exists after the logout',
    [...onPhone('logout-3'), logOut(1)],
    findDevice({ push_token: fromResponse(1, 'push_token') }),
    { code: 200, rows: [] },
  ),
  rule(
    'every access token that was issued for the device is rejected: 10008',
    [
      createUser(),
      logInCreatedUser({ device_guid: 'logout-4' }),
      logInCreatedUser({ device_guid: 'logout-4' }),
      logOut(1),
    ],
    use(token(2)),
    refused(10008),
  ),
  rule(
    'other devices of the user stay logged in',
    [
      createUser(),
      logInCreatedUser({ device_guid: 'logout-5' }),
      logInCreatedUser({ device_guid: 'logout-5b' }),
      logOut(1),
    ],
    use(token(2)),
    { code: 200, text: /"device_guid":"logout-5b"/ },
  ),
  rule(
    'the alias is available to other users after the logout',
    [
      ...onPhone('logout-6'),
      logOut(1),
      createUser(),
      manage('/admin/user/token', { user_id: fromResponse(6, 'user_id'), device_guid: 'logout-6b' }),
    ],
    { path: '/device/alias', token: token(7), body: { alias: 'alias-logout-6' } },
    { code: 200, data: { alias: 'alias-logout-6' } },
  ),
  rule(
    'a new login on the device starts without an alias, tags or bindings',
    [...onPhone('logout-7'), logOut(1), logInCreatedUser({ device_guid: 'logout-7' })],
    use(token(6)),
    { code: 200, text: /"device_guid":"logout-7","user_id":\d+,"alias":null,"tags":\[\],"bindings":\[\]/ },
  ),
];

const callers: readonly Row[] = [
  rulesOf(path, 'a body is not required and is ignored', [
    ...['{}', '[1]', '{"token":"another","user_id":7}', 'null'].map((text) => ({
      before: loggedInUser,
      call: logOut(1, { text }),
      expect: ok,
    })),
  ]),
  rulesOf(path, 'a body that is malformed or too large is still rejected: 10002, 12009', [
    { before: loggedInUser, call: logOut(1, { text: '{' }), expect: refused(10002, /not JSON/) },
    {
      before: loggedInUser,
      call: logOut(1, { text: 'bye', headers: { 'content-type': 'text/plain' } }),
      expect: { ...refused(10002, /application\/json/), status: 415 },
    },
    {
      before: loggedInUser,
      call: logOut(1, { text: `"${'x'.repeat(256 * 1_024)}"` }),
      expect: refused(12009),
    },
  ]),
  rule(
    'a rejected logout does not log out any user',
    [
      ...loggedInUser,
      logOut(1, { text: '{' }),
      logOut(1, { headers: { user_id: users.ann.userId.toString() } }),
      logOut(1, { headers: { group_id: groups.choir.toString() } }),
      logOut(1, { app: apps.other }),
    ],
    use(token(1)),
    ok,
  ),
  rulesOf(path, 'an admin token is rejected with a hint, even on behalf of a user or group: 10010', [
    { call: { path, token: tokens.admin }, expect: refused(10010, /\/admin\/token\/revoke/) },
    { call: { path, token: tokens.admin, headers: { user_id: '7' } }, expect: refused(10010) },
    { call: { path, token: tokens.admin, headers: { group_id: '3' } }, expect: refused(10010) },
    { call: { path, token: tokens.ann, headers: { user_id: '8' } }, expect: refused(10010) },
    { call: { path, token: tokens.ann, headers: { group_id: '3' } }, expect: refused(10010) },
  ]),
  rulesOf(path, 'a missing, invalid or expired token is rejected as in every operation', [
    { call: { path, token: null }, expect: refused(10003) },
    { call: { path, token: 'garbage' }, expect: refused(10008) },
    { call: { path, token: tokens.userUnknown }, expect: refused(10008) },
    { call: { path, token: tokens.otherUser }, expect: refused(10008) },
    { call: { path, token: tokens.annExpired }, expect: refused(402) },
    { call: { path, token: tokens.ann, app: null }, expect: refused(10002, /app_id/) },
  ]),
  rule(
    'the user_id header can contain the ID of the user who owns the token',
    [createUser({ user_id: 30_001 }), logInCreatedUser()],
    logOut(1, { headers: { user_id: '30001' } }),
    ok,
  ),
];

export const tokenLogoutGroup: readonly Row[] = [...ends, ...device, ...callers];
