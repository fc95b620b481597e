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
  rule(path, 'a user sees their devices, all that is known of them', [], list(onlooker.token), {
    code: 200,
    rows: [onlookerRecord],
  }),
  rules(path, 'a user may name themself', [
    { call: list(onlooker.token, user(onlooker.userId)), expect: { code: 200, rows: [onlookerRecord] } },
  ]),
  rule(path, 'a user may not name another: 10010', [], list(onlooker.token, user(users.ann.userId)), refused(10010)),
  rules(
    path,
    'an admin names the user by the header user_id',
    [tokens.admin, tokens.manage].map((token) => ({
      call: list(token, user(onlooker.userId)),
      expect: { code: 200, rows: [onlookerRecord] },
    })),
  ),
  rule(path, 'an admin who names nobody is told how: 10002', [], list(tokens.admin), refused(10002, /user_id/)),
  rule(
    path,
    'an admin who names a user that there is not: 10000',
    [],
    list(tokens.admin, user(NOBODY)),
    refused(10000),
  ),
  rules(
    path,
    'an admin needs the scope manage: 10010',
    [tokens.push, tokens.secrets, tokens.scopeless, deviceTokens.platformOnly].map((token) => ({
      call: list(token, user(onlooker.userId)),
      expect: refused(10010, /manage/),
    })),
  ),
  rule(
    path,
    'the admin of a group may not: 10010',
    [],
    list(tokens.admin, { group_id: groups.choir.toString() }),
    refused(10010),
  ),
  rule(path, 'it takes a token: 10003', [], list(null), refused(10003)),
  rules(
    path,
    'it needs no body and ignores what is in one',
    [{ text: '' }, { text: '{}' }, { body: { user_id: 7, limit: 1 } }, { text: '[]' }].map((sent) => ({
      call: { ...list(onlooker.token), ...sent },
      expect: { code: 200, rows: [onlookerRecord] },
    })),
  ),
  rule(path, 'what is no JSON is refused: 10002', [], { ...list(onlooker.token), text: '{' }, refused(10002)),
];

const ruleRows: readonly Row[] = [
  rule(
    path,
    'the latest device comes first',
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
    'a user has twenty devices at most: a twenty-first logs the oldest out',
    [addUser(3_032), ...many(21)],
    list(fromResponse(21, 'token')),
    {
      code: 200,
      rows: Array.from({ length: 20 }, (_, i) => ({ device_guid: `many-${20 - i}`, user_id: 3_032n })),
    },
  ),
  rule(
    path,
    'the token of a device that gave way is refused: 10008',
    [addUser(3_033), ...Array.from({ length: 21 }, (_, i) => logIn(3_033, `gave-way-${i}`))],
    list(fromResponse(1, 'token')),
    refused(10008),
  ),
  ruleOf(
    path,
    'tags, alias and vendors of a device are told',
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
    'a device on which somebody else has logged in is theirs: nothing on it is left',
    3_035,
    (by) => [
      by.call('/device/tag', { add: ['left'] }),
      by.call('/device/alias', { alias: 'left' }),
      by.call('/device/bind', { provider: 1, token: 'left' }),
      addUser(3_036),
      logIn(3_036, 'phone-of-3035'),
      list(tokens.admin, user(3_036n)),
    ],
    { ...boundTo(), rows: [{ device_guid: 'phone-of-3035', user_id: 3_036n, alias: null, tags: [] }] },
  ),
  ruleOf(
    path,
    'a device that changed hands has another push token, and its former owner none',
    3_037,
    (by) => [addUser(3_038), logIn(3_038, 'phone-of-3037'), list(tokens.admin, user(BigInt(by.userId)))],
    { code: 200, rows: [] },
  ),
  ruleOf(
    path,
    'a login without a device adds none',
    3_039,
    (by) => [{ path: '/admin/user/token', body: { user_id: 3_039 } }, by.call(path)],
    { code: 200, rows: [{ push_token: theirPushToken }] },
  ),
  ruleOf(
    path,
    'a device that was logged out is gone from it',
    3_040,
    (by) => [{ path: '/token/logout', token: theirToken }, list(tokens.admin, user(BigInt(by.userId)))],
    { code: 200, rows: [] },
  ),
  rule(
    path,
    'a user’s ID is told with every digit',
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
    'another app’s devices of the same user ID and the same device ID are others',
    [
      createAppCall('list-other'),
      addUser(onlooker.userId, adminOf('list-other')),
      logIn(onlooker.userId, onlooker.guid, adminOf('list-other')),
      inApp('list-other', '/device/tag', { push_token: fromResponse(2, 'push_token'), add: ['other'] }),
    ],
    list(onlooker.token),
    { code: 200, rows: [onlookerRecord] },
  ),
  rule(path, 'a user without devices has none', [], list(tokens.last), { code: 200, rows: [] }),
];

export const deviceListGroup: readonly Row[] = [...callerRows, ...ruleRows];
