import { boundTo, ruleOf, saying, theirPushToken, theirToken } from './device-calls.ts';
import {
  addUser,
  adminOf,
  createAppCall,
  deviceTokens,
  inApp,
  logIn,
  onlookerRecord,
  owners,
} from './fixture-devices.ts';
import { groups, NOBODY, tokens, users } from './fixtures.ts';
import { type Call, fromResponse, INT64_MAX, type Row, refused } from './row.ts';
import { rule, rules } from './user-calls.ts';

const path = '/device/list';
const { onlooker } = owners;
const list = (token: Call['token'], headers: Readonly<Record<string, string>> = {}): Call => ({
  path,
  token: token as string,
  headers,
});
const user = (userId: bigint) => ({ user_id: userId.toString() });

const many = (n: number): Call[] => Array.from({ length: n }, (_, i) => logIn(3_032, `many-${i}`));

const callerRows: readonly Row[] = [
  rule(path, 'returns the devices of a user with all fields', [], list(onlooker.token), {
    code: 200,
    rows: [onlookerRecord],
  }),
  rules(path, 'a user can send their own user_id', [
    { call: list(onlooker.token, user(onlooker.userId)), expect: { code: 200, rows: [onlookerRecord] } },
  ]),
  rule(
    path,
    'a user cannot send the user_id of another user: 10010',
    [],
    list(onlooker.token, user(users.ann.userId)),
    refused(10010),
  ),
  rules(
    path,
    'an admin chooses the user with the user_id header',
    [tokens.admin, tokens.manage].map((token) => ({
      call: list(token, user(onlooker.userId)),
      expect: { code: 200, rows: [onlookerRecord] },
    })),
  ),
  rule(
    path,
    'an admin without the user_id header receives an error that names it: 10002',
    [],
    list(tokens.admin),
    refused(10002, /user_id/),
  ),
  rule(
    path,
    'rejects an admin token with an unknown user in the user_id header: 10000',
    [],
    list(tokens.admin, user(NOBODY)),
    refused(10000),
  ),
  rules(
    path,
    'an admin token requires the manage scope: 10010',
    [tokens.push, tokens.secrets, tokens.scopeless, deviceTokens.platformOnly].map((token) => ({
      call: list(token, user(onlooker.userId)),
      expect: refused(10010, /manage/),
    })),
  ),
  rule(
    path,
    'rejects an admin token with the group_id header: 10010',
    [],
    list(tokens.admin, { group_id: groups.choir.toString() }),
    refused(10010),
  ),
  rule(path, 'requires a token: 10003', [], list(null), refused(10003)),
  rules(
    path,
    'needs no body and ignores its content',
    [{ text: '' }, { text: '{}' }, { body: { user_id: 7, limit: 1 } }, { text: '[]' }].map((sent) => ({
      call: { ...list(onlooker.token), ...sent },
      expect: { code: 200, rows: [onlookerRecord] },
    })),
  ),
  rule(path, 'rejects a body that is not JSON: 10002', [], { ...list(onlooker.token), text: '{' }, refused(10002)),
];

const ruleRows: readonly Row[] = [
  rule(
    path,
    'returns the latest device first',
    [
      addUser(3_031),
      logIn(3_031, 'list-first'),
      logIn(3_031, 'list-second'),
      logIn(3_031, 'list-third'),
      logIn(3_031, 'list-first'), // a repeated login does not change the order
    ],
    list(fromResponse(1, 'token')),
    {
      code: 200,
      rows: [{ device_guid: 'list-third' }, { device_guid: 'list-second' }, { device_guid: 'list-first' }],
    },
  ),
  rule(
    path,
    'a user has at most twenty devices: a login on another device logs out the oldest device',
    [addUser(3_032), ...many(21)],
    list(fromResponse(21, 'token')),
    {
      code: 200,
      rows: Array.from({ length: 20 }, (_, i) => ({ device_guid: `many-${20 - i}`, user_id: 3_032n })),
    },
  ),
  rule(
    path,
    'the access token of a device that was logged out because of the device limit is rejected: 10008',
    [addUser(3_033), ...Array.from({ length: 21 }, (_, i) => logIn(3_033, `gave-way-${i}`))],
    list(fromResponse(1, 'token')),
    refused(10008),
  ),
  ruleOf(
    path,
    'returns the tags, the alias and the bindings of a device',
    3_034,
    (by) => [
      by.call('/device/tag', { add: ['news', 'beta'] }),
      by.call('/device/alias', { alias: 'of-3034' }),
      by.call('/device/bind', { provider: 1, token: 'of-3034', environment: 0 }),
      by.call(path),
    ],
    saying(/"alias":"of-3034","tags":\["beta","news"\],"bindings":\[\{"provider":1,"environment":0,"bound_at":\d+\}\]/),
  ),
  ruleOf(
    path,
    'another user with the same device_guid has a separate device without tags, alias or bindings',
    3_035,
    (by) => [
      by.call('/device/tag', { add: ['own'] }),
      by.call('/device/alias', { alias: 'own' }),
      by.call('/device/bind', { provider: 1, token: 'own' }),
      addUser(3_036),
      logIn(3_036, 'phone-of-3035'),
      list(tokens.admin, user(3_036n)),
    ],
    { ...boundTo(), rows: [{ device_guid: 'phone-of-3035', user_id: 3_036n, alias: null, tags: [] }] },
  ),
  ruleOf(
    path,
    'a login by another user with the same device_guid does not change the device',
    3_037,
    (by) => [
      by.call('/device/tag', { add: ['own'] }),
      by.call('/device/bind', { provider: 1, token: 'own-of-3037' }),
      addUser(3_038),
      logIn(3_038, 'phone-of-3037'),
      by.call(path),
    ],
    { ...boundTo([1, 1]), rows: [{ push_token: theirPushToken, user_id: 3_037n, tags: ['own'] }] },
  ),
  ruleOf(
    path,
    'a login without a device adds no device',
    3_039,
    (by) => [{ path: '/admin/user/token', body: { user_id: 3_039 } }, by.call(path)],
    { code: 200, rows: [{ push_token: theirPushToken }] },
  ),
  ruleOf(
    path,
    'does not return a device that was logged out',
    3_040,
    (by) => [{ path: '/token/logout', token: theirToken }, list(tokens.admin, user(BigInt(by.userId)))],
    { code: 200, rows: [] },
  ),
  rule(
    path,
    'returns a user ID with all digits',
    [
      createAppCall('list-int64'),
      addUser(INT64_MAX, adminOf('list-int64')),
      logIn(INT64_MAX, 'last-phone', adminOf('list-int64')),
    ],
    inApp('list-int64', path, undefined, { headers: user(INT64_MAX) }),
    { ...saying(/"user_id":9223372036854775807,/), rows: [{ user_id: INT64_MAX }] },
  ),
  rule(
    path,
    'does not return devices of another app with the same user ID and device_guid',
    [
      createAppCall('list-other'),
      addUser(onlooker.userId, adminOf('list-other')),
      logIn(onlooker.userId, onlooker.guid, adminOf('list-other')),
      inApp('list-other', '/device/tag', { push_token: fromResponse(2, 'push_token'), add: ['other'] }),
    ],
    list(onlooker.token),
    { code: 200, rows: [onlookerRecord] },
  ),
  rule(path, 'returns an empty list for a user without devices', [], list(tokens.last), { code: 200, rows: [] }),
];

export const deviceListGroup: readonly Row[] = [...callerRows, ...ruleRows];
