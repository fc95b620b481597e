import { bucketOfGuid } from '#src/domain/bucket.ts';
import { adminCallerRows } from './admin-scopes.ts';
import { ruleOf, saying, theirPushToken } from './device-calls.ts';
import {
  addUser,
  adminOf,
  bindersTablet,
  createAppCall,
  inApp,
  inherited,
  logIn,
  onlookerRecord,
  owners,
} from './fixture-devices.ts';
import { devices, NOBODY, tokens } from './fixtures.ts';
import {
  type Call,
  type Expect,
  type Field,
  fieldRows,
  fromResponse,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  notInteger,
  notText,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

const path = '/admin/device/find';
const { onlooker, former, binder } = owners;

const find = (body: unknown): Call => ({ path, token: tokens.manage, body });
const found = (...guids: readonly string[]): Expect => ({
  code: 200,
  data: { next: null },
  rows: guids.map((device_guid) => ({ device_guid })),
});
const nothing = found();
const exactlyOne = refused(10002, /exactly one of push_token, device_guid, user_id, alias, tag/);

export const refusedTexts = (bytesMax: number): Field['refuses'] => ({
  'a value that is not a string': [10002, ...notText],
  'NUL characters and unpaired surrogates': [10002, 'x\0', 'x\ud83d'],
  [`more than ${bytesMax} bytes`]: [12009, 'x'.repeat(bytesMax + 1)],
});

/**
 * Rows about a field that selects devices. If the field is blank, it counts as omitted, and the request has no
 * selector.
 */
const finder = (name: string, takes: Field['takes'], refuses: Field['refuses'], expect: Expect): readonly Row[] =>
  fieldRows(
    { path, token: tokens.manage, body: {}, taken: () => expect, blank: () => exactlyOne },
    { name, takes, refuses },
  );
const pager = (field: Field): readonly Row[] =>
  fieldRows(
    {
      path,
      token: tokens.manage,
      body: { user_id: onlooker.userId },
      taken: () => ({ code: 200, data: { next: null } }),
      blank: () => found(onlooker.guid),
    },
    field,
  );

const fieldsRows: readonly Row[] = [
  ...bodyRows([], find({ device_guid: onlooker.guid }), found(onlooker.guid)),
  ...finder(
    'push_token',
    { 'the push token of a device with a logged-in user': [onlooker.pushToken] },
    refusedTexts(128),
    found(onlooker.guid),
  ),
  ...finder('device_guid', { 'the device_guid of a device': [onlooker.guid] }, refusedTexts(128), found(onlooker.guid)),
  ...finder(
    'user_id',
    { 'the ID of a user with devices': [onlooker.userId] },
    { 'a value that is not an int64': [10002, ...notInt64] },
    found(onlooker.guid),
  ),
  ...finder('alias', { 'an alias that no device has': ['unused alias'] }, refusedTexts(64), nothing),
  ...finder('tag', { 'a tag that no device has': ['unused tag'] }, refusedTexts(64), nothing),
  ...pager({
    name: 'after',
    takes: { 'any int64': [0, -1, 5, INT64_MAX, INT64_MIN] },
    refuses: { 'a value that is not an int64': [10002, ...notInt64] },
  }),
  ...pager({
    name: 'limit',
    takes: { '1 to 500': [1, 500] },
    refuses: { 'a value out of range': [10002, 0, -1, 501], 'a value that is not an int32': [10002, ...notInteger] },
  }),
];

/**
 * Three devices of one user and one device of another user, in the app of the row. All have the same tag, and the first
 * three have the same alias.
 */
const guids = ['a', 'b', 'c', 'd'] as const;
const crowd = (app: string): readonly Call[] => [
  createAppCall(app),
  addUser(1, adminOf(app)),
  addUser(2, adminOf(app)),
  ...guids.map((guid) => logIn(guid === 'd' ? 2 : 1, guid, adminOf(app))),
  ...guids.map((_, i) => inApp(app, '/device/tag', { push_token: fromResponse(3 + i, 'push_token'), add: ['crowd'] })),
  ...[0, 1, 2].map((i) =>
    inApp(app, '/device/alias', { push_token: fromResponse(3 + i, 'push_token'), alias: 'of the first' }),
  ),
];
const FIRST_PAGE = 14;
/** Returns the device GUIDs in the order of the response, which is the order of their shards. */
const inOrder = (app: string, ...some: readonly string[]) =>
  [...some].sort((a, b) => bucketOfGuid(app, a) - bucketOfGuid(app, b) || (a < b ? -1 : 1));
const rowsOf = (names: readonly string[]) => names.map((device_guid) => ({ device_guid }));

/** Rows that read the pages one after the other. Each device is returned once, and the last page has no cursor. */
function pageRows(app: string, by: object, ...all: readonly string[]): readonly Row[] {
  const order = inOrder(app, ...all);
  const what = `by ${Object.keys(by)[0]}`;
  const page = (more: object) => inApp(app, path, { ...by, ...more });
  const nextOf = (n: number) => fromResponse(FIRST_PAGE + n, 'next');
  return [
    rule(path, `${what}, the first page has at most limit devices`, crowd(app), page({ limit: 2 }), {
      code: 200,
      rows: rowsOf(order.slice(0, 2)),
      data: { next: /^\d+$/ },
    }),
    rule(
      path,
      `${what}, the next page starts where the first page ended`,
      [...crowd(`${app}-2`), inApp(`${app}-2`, path, { ...by, limit: 2 })],
      inApp(`${app}-2`, path, { ...by, limit: 2, after: nextOf(0) }),
      {
        code: 200,
        rows: rowsOf(inOrder(`${app}-2`, ...all).slice(2, 4)),
        data: { next: null },
      },
    ),
    rule(
      path,
      `${what}, a page that contains all devices has no cursor`,
      crowd(`${app}-3`),
      {
        ...inApp(`${app}-3`, path, { ...by, limit: all.length }),
      },
      { code: 200, rows: rowsOf(inOrder(`${app}-3`, ...all)), data: { next: null } },
    ),
  ];
}

const ruleRows: readonly Row[] = [
  rules(
    path,
    'requires exactly one of the five selectors: 10002',
    [
      {},
      { limit: 5 },
      { user_id: onlooker.userId, tag: 'x' },
      { push_token: onlooker.pushToken, device_guid: onlooker.guid },
      { alias: 'x', tag: 'x' },
    ].map((body) => ({ call: find(body), expect: exactlyOne })),
  ),
  rules(path, 'treats blank fields as omitted', [
    { call: find({ user_id: null, tag: ' ', alias: '', device_guid: onlooker.guid }), expect: found(onlooker.guid) },
  ]),
  rule(path, 'a request without a body has no selector: 10002', [], { path, token: tokens.manage }, exactlyOne),
  rule(path, 'ignores unknown fields', [], find({ device_guid: onlooker.guid, color: 'red' }), found(onlooker.guid)),
  rules(
    path,
    'returns an empty list, not an error, if no device matches',
    [
      { push_token: 'nobodys' },
      { push_token: `p00${'x'.repeat(27)}` },
      { push_token: former.pushToken },
      { device_guid: 'nobodys phone' },
      { user_id: NOBODY },
      { user_id: INT64_MAX - 1n },
      { user_id: -1 },
    ].map((body) => ({ call: find(body), expect: nothing })),
  ),
  rules(
    path,
    'does not find devices of other apps',
    [{ push_token: devices.pushNoneUser.pushToken }, { device_guid: devices.pushNoneUser.guid }].map((body) => ({
      call: find(body),
      expect: nothing,
    })),
  ),
  rule(path, 'returns all fields of a device', [], find({ push_token: onlooker.pushToken }), {
    code: 200,
    rows: [onlookerRecord],
  }),
  rule(path, 'returns all devices of a user', [], find({ user_id: binder.userId }), {
    code: 200,
    rows: rowsOf(inOrder('bells', binder.guid, bindersTablet.guid)),
  }),
  rule(
    path,
    'returns one device for each user who has logged in with a device_guid',
    [],
    find({ device_guid: former.guid }),
    {
      code: 200,
      rows: [
        { device_guid: former.guid, user_id: null },
        { device_guid: former.guid, user_id: owners.heir.userId, push_token: inherited.pushToken },
      ],
    },
  ),
  ruleOf(
    path,
    'finds a device without a logged-in user by its device_guid',
    3_121,
    (by) => [by.call('/token/logout'), find({ device_guid: 'phone-of-3121' })],
    { code: 200, rows: [{ device_guid: 'phone-of-3121', user_id: null, alias: null, tags: [], bindings: [] }] },
  ),
  ruleOf(
    path,
    'does not find a device without a logged-in user by its former push token',
    3_122,
    (by) => [by.call('/token/logout'), find({ push_token: theirPushToken })],
    nothing,
  ),
  ruleOf(
    path,
    'does not find a device without a logged-in user by its former user',
    3_123,
    (by) => [by.call('/token/logout'), find({ user_id: by.userId })],
    nothing,
  ),
  ruleOf(
    path,
    'does not find a device by an alias that was removed',
    3_124,
    (by) => [by.call('/device/alias', { alias: 'of-3124' }), by.call('/device/alias', {}), find({ alias: 'of-3124' })],
    nothing,
  ),
  ruleOf(
    path,
    'does not find a device by a tag that was removed',
    3_125,
    (by) => [
      by.call('/device/tag', { add: ['of-3125'] }),
      by.call('/device/tag', { clear: true }),
      find({ tag: 'of-3125' }),
    ],
    nothing,
  ),
  ruleOf(
    path,
    'aliases are case-sensitive',
    3_126,
    (by) => [by.call('/device/alias', { alias: 'Of-3126' }), find({ alias: 'of-3126' })],
    nothing,
  ),
  rule(
    path,
    'accepts and returns a user ID with all digits',
    [
      createAppCall('find-int64'),
      addUser(INT64_MAX, adminOf('find-int64')),
      addUser(INT64_MAX - 1n, adminOf('find-int64')),
      logIn(INT64_MAX, 'last', adminOf('find-int64')),
      logIn(INT64_MAX - 1n, 'last-but-one', adminOf('find-int64')),
    ],
    inApp('find-int64', path, { user_id: INT64_MAX }),
    { ...saying(/"user_id":9223372036854775807,/), rows: [{ device_guid: 'last', user_id: INT64_MAX }] },
  ),
];

export const adminDeviceFindGroup: readonly Row[] = [
  ...fieldsRows,
  ...adminCallerRows({ path, body: { device_guid: onlooker.guid } }, 'manage', found(onlooker.guid)),
  ...ruleRows,
  ...pageRows('find-by-tag', { tag: 'crowd' }, ...guids),
  ...pageRows('find-by-user', { user_id: 1 }, 'a', 'b', 'c'),
  ...pageRows('find-by-alias', { alias: 'of the first' }, 'a', 'b', 'c'),
];
