import { refusedTexts } from './admin-device.ts';
import { adminCallerRows } from './admin-scopes.ts';
import { ruleOf, theirPushToken, theirToken } from './device-calls.ts';
import { addUser, deviceTokens, logIn, onlookerRecord, owners } from './fixture-devices.ts';
import { devices, tokens } from './fixtures.ts';
import { type Call, type Expect, fieldRows, fromResponse, ok, type Row, refused } from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

/**
 * Rows about `/admin/device/get` and `/admin/device/logout`. Inboxes and connections are tested in
 * `test/flows/operator/device-details.test.ts`.
 */

const GET = '/admin/device/get';
const LOGOUT = '/admin/device/logout';
const { onlooker, former } = owners;
const call =
  (path: string) =>
  (push_token: unknown, token = tokens.manage): Call => ({ path, token, body: { push_token } });
const get = call(GET);
const logout = call(LOGOUT);
const unknown = refused(12008);

/** Rows about the only field, which both operations require. */
const pushTokenRows = (
  path: string,
  [ofBody, ofField]: readonly [before: readonly Call[], before: readonly Call[]],
  pushToken: unknown,
): readonly Row[] => [
  ...bodyRows(ofBody, call(path)(pushToken)),
  ...fieldRows(
    { path, token: tokens.manage, body: {}, before: ofField, taken: () => ok },
    {
      name: 'push_token',
      takes: { 'the push token of a device with a logged-in user': [pushToken] },
      refuses: {
        ...refusedTexts(128),
        'a push token that no device has': [12008, 'nobodys', `p00${'x'.repeat(27)}`, former.pushToken],
        'the push token of a device in another app': [12008, devices.pushNoneUser.pushToken],
      },
    },
  ),
  // The device does not exist, so permitted callers receive 12008.
  ...adminCallerRows({ path, body: { push_token: 'nobodys' } }, 'manage', unknown),
];

export const adminDeviceGetGroup: readonly Row[] = [
  ...pushTokenRows(GET, [[], []], onlooker.pushToken),
  rule(
    GET,
    'returns the record of the device, and nothing else about a device that is not connected',
    [],
    get(onlooker.pushToken),
    {
      code: 200,
      data: { ...onlookerRecord, badge: 0, session: null, inbox: [] },
    },
  ),
  ruleOf(
    GET,
    'returns the badge that the device reported',
    3_161,
    (by) => [by.call('/device/badge', { badge: 7 }), get(theirPushToken)],
    { code: 200, data: { badge: 7 } },
  ),
  ruleOf(
    GET,
    'does not find a device after the logout of its user: 12008',
    3_162,
    (by) => [by.call('/token/logout'), get(theirPushToken)],
    unknown,
  ),
];

const list = (token: unknown): Call => ({ path: '/device/list', token: token as string });
/** Creates a new user with a device, for a call that ends the login. */
const fresh = (userId: number): readonly Call[] => [addUser(userId), logIn(userId, `logged-out-of-${userId}`)];
const nothing: Expect = { code: 200, rows: [] };

export const adminDeviceLogoutGroup: readonly Row[] = [
  ...pushTokenRows(LOGOUT, [fresh(3_170), fresh(3_171)], theirPushToken),
  ruleOf(
    LOGOUT,
    'the access tokens of the device are rejected: 10008',
    3_172,
    (by) => [by.call('/device/list'), logout(theirPushToken), by.call('/device/list')],
    refused(10008),
  ),
  ruleOf(
    LOGOUT,
    'other access tokens of the user stay valid, and the device is no longer listed',
    3_173,
    () => [logIn(3_173, 'another-of-3173'), logout(theirPushToken), list(fromResponse(2, 'token'))],
    { code: 200, rows: [{ device_guid: 'another-of-3173' }] },
  ),
  ruleOf(
    LOGOUT,
    'removes tags, alias and bindings of the device',
    3_174,
    (by) => [
      by.call('/device/tag', { add: ['of-3174'] }),
      by.call('/device/alias', { alias: 'of-3174' }),
      by.call('/device/bind', { provider: 3, token: 'of-3174' }),
      logout(theirPushToken),
      { path: '/admin/device/find', body: { device_guid: 'phone-of-3174' } },
    ],
    { code: 200, rows: [{ user_id: null, alias: null, tags: [], bindings: [] }] },
  ),
  ruleOf(
    LOGOUT,
    'a later login on the device returns a new push token',
    3_175,
    () => [
      logout(theirPushToken),
      logIn(3_175, 'phone-of-3175'),
      { path: '/device/list', token: fromResponse(3, 'token') },
    ],
    { code: 200, rows: [{ device_guid: 'phone-of-3175', push_token: fromResponse(3, 'push_token') }] },
  ),
  ruleOf(
    LOGOUT,
    'rejects a second logout: 12008',
    3_176,
    () => [logout(theirPushToken), logout(theirPushToken)],
    unknown,
  ),
  ruleOf(
    LOGOUT,
    'a rejected request logs no one out',
    3_177,
    (by) => [
      logout(theirPushToken, tokens.push),
      { path: LOGOUT, token: theirToken, body: { push_token: theirPushToken } },
      logout(theirPushToken, deviceTokens.platformOnly),
      by.call('/device/list'),
    ],
    { code: 200, rows: [{ push_token: theirPushToken }] },
  ),
  ruleOf(
    LOGOUT,
    'the former push token finds no device',
    3_179,
    () => [logout(theirPushToken), { path: '/admin/device/find', body: { push_token: theirPushToken } }],
    nothing,
  ),
];
