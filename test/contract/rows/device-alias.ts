import { deviceCallerRows, pushTokenRows } from './device-callers.ts';
import { ruleOf, theirPushToken, theirToken } from './device-calls.ts';
import { addUser, adminOf, createAppCall, inApp, logIn, owners } from './fixture-devices.ts';
import { type Call, type Expect, fieldRows, fromResponse, notText, type Row, refused } from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

const path = '/device/alias';
const list = '/device/list';
const { namer, onlooker, ghost } = owners;
const fields = {
  path,
  token: namer.token,
  body: {},
  taken: (_name: string, alias: unknown): Expect => ({ code: 200, data: { alias } }),
  blank: (): Expect => ({ code: 200, data: { alias: null } }),
};
const has = (alias: string | null): Expect => ({ code: 200, data: { alias } });
const taken = refused(10004, /another user/);

/**
 * Calls for a second device of the newcomer and for a second newcomer. They follow the two calls that create the first
 * newcomer.
 */
const secondDevice = (userId: number): Call => logIn(userId, `second-of-${userId}`);
const second = (alias: string | null): Call => ({ path, token: fromResponse(2, 'token'), body: { alias } });
const another = (userId: number): readonly [Call, Call] => [addUser(userId), logIn(userId, `phone-of-${userId}`)];
const anothers = (alias: string | null): Call => ({ path, token: fromResponse(3, 'token'), body: { alias } });

const effectRows: readonly Row[] = [
  ruleOf(path, 'sets the alias of the device', 3_071, (by) => [by.call(path, { alias: 'of-3071' }), by.call(list)], {
    code: 200,
    rows: [{ alias: 'of-3071' }],
  }),
  ruleOf(
    path,
    'replaces the previous alias',
    3_072,
    (by) => [by.call(path, { alias: 'first-of-3072' }), by.call(path, { alias: 'second-of-3072' }), by.call(list)],
    { code: 200, rows: [{ alias: 'second-of-3072' }] },
  ),
  ruleOf(
    path,
    'a blank alias removes the alias',
    3_073,
    (by) => [by.call(path, { alias: 'of-3073' }), by.call(path, {}), by.call(list)],
    { code: 200, rows: [{ alias: null }] },
  ),
  ruleOf(
    path,
    'can be repeated',
    3_074,
    (by) => [by.call(path, { alias: 'of-3074' }), by.call(path, { alias: 'of-3074' })],
    has('of-3074'),
  ),
  ruleOf(
    path,
    'devices of one user can share an alias',
    3_075,
    (by) => [secondDevice(3_075), by.call(path, { alias: 'of-3075' }), second('of-3075'), by.call(list)],
    { code: 200, rows: [{ alias: 'of-3075' }, { alias: 'of-3075' }] },
  ),
  ruleOf(
    path,
    'rejects an alias that a device of another user has: 10004',
    3_076,
    (by) => [...another(3_077), by.call(path, { alias: 'of-3076' }), anothers('of-3076')],
    taken,
  ),
  ruleOf(
    path,
    'an admin cannot assign the same alias to devices of two users: 10004',
    3_078,
    (by) => [by.call(path, { alias: 'of-3078' }), { path, body: { alias: 'of-3078', push_token: onlooker.pushToken } }],
    taken,
  ),
  ruleOf(
    path,
    'a rejected request leaves the previous alias unchanged',
    3_079,
    (by) => [
      ...another(3_080),
      by.call(path, { alias: 'of-3079' }),
      anothers('of-3080'),
      anothers('of-3079'),
      { path: list, token: fromResponse(3, 'token') },
    ],
    { code: 200, rows: [{ alias: 'of-3080' }] },
  ),
  ruleOf(
    path,
    'an alias stays reserved while one device of the user has it: 10004',
    3_081,
    (by) => [
      secondDevice(3_081),
      ...another(3_082),
      by.call(path, { alias: 'of-3081' }),
      second('of-3081'),
      second(null),
      { path, token: fromResponse(4, 'token'), body: { alias: 'of-3081' } },
    ],
    taken,
  ),
  ruleOf(
    path,
    'another user can use an alias after the first user has removed it from all devices',
    3_083,
    (by) => [
      ...another(3_084),
      by.call(path, { alias: 'of-3083' }),
      by.call(path, { alias: 'something else' }),
      anothers('of-3083'),
    ],
    has('of-3083'),
  ),
  ruleOf(
    path,
    'a user cannot reclaim an alias that another user now has: 10004',
    3_085,
    (by) => [
      ...another(3_086),
      by.call(path, { alias: 'of-3085' }),
      by.call(path, {}),
      anothers('of-3085'),
      by.call(path, { alias: 'of-3085' }),
    ],
    taken,
  ),
  ruleOf(
    path,
    'a logout releases the alias',
    3_087,
    (by) => [
      ...another(3_088),
      by.call(path, { alias: 'of-3087' }),
      { path: '/token/logout', token: theirToken },
      anothers('of-3087'),
    ],
    has('of-3087'),
  ),
  ruleOf(
    path,
    'a login by another user with the same device_guid does not release the alias: 10004',
    3_089,
    (by) => [
      ...another(3_090),
      by.call(path, { alias: 'of-3089' }),
      logIn(3_090, 'phone-of-3089'),
      { path, token: fromResponse(5, 'token'), body: { alias: 'of-3089' } },
    ],
    refused(10004),
  ),
  ruleOf(
    path,
    'aliases that differ in case or spaces are different',
    3_091,
    (by) => [...another(3_092), by.call(path, { alias: 'of-3091' }), anothers('OF-3091 ')],
    has('OF-3091 '),
  ),
  ruleOf(
    path,
    'an admin can set the alias of a device',
    3_093,
    (by) => [{ path, body: { alias: 'of-3093', push_token: theirPushToken } }, by.call(list)],
    { code: 200, rows: [{ alias: 'of-3093' }] },
  ),
  rule(
    path,
    'a user in another app can have the same alias',
    [
      { path, token: namer.token, body: { alias: 'in-two-apps' } },
      createAppCall('alias-other'),
      { ...addUser(1), app: 'alias-other', token: fromResponse(1, 'admin_token') },
      { ...logIn(1, 'a-phone'), app: 'alias-other', token: fromResponse(1, 'admin_token') },
    ],
    { app: 'alias-other', path, token: fromResponse(3, 'token'), body: { alias: 'in-two-apps' } },
    has('in-two-apps'),
  ),
  rule(
    path,
    'deleting a user releases the alias immediately',
    [
      createAppCall('alias-deleted'),
      addUser(1, adminOf('alias-deleted')),
      logIn(1, 'a-phone', adminOf('alias-deleted')),
      inApp('alias-deleted', path, { alias: 'free', push_token: fromResponse(2, 'push_token') }),
      inApp('alias-deleted', '/admin/user/delete', { user_id: 1 }),
      addUser(2, adminOf('alias-deleted')),
      logIn(2, 'another-phone', adminOf('alias-deleted')),
    ],
    { app: 'alias-deleted', path, token: fromResponse(6, 'token'), body: { alias: 'free' } },
    has('free'),
  ),
  rule(
    path,
    'rejects the device of a user who is being deleted: 12008',
    [],
    { path, body: { alias: 'of-a-ghost', push_token: ghost.pushToken } },
    refused(12008),
  ),
];

export const deviceAliasGroup: readonly Row[] = [
  ...bodyRows([], { path, token: namer.token, body: { alias: 'as an object' } }),
  ...fieldRows(fields, {
    name: 'alias',
    takes: {
      'strings of up to 64 bytes, stored unchanged': ['x', 'é'.repeat(32), 'x'.repeat(64), ' 安娜 ', '😀', '0', 'null'],
    },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'NUL characters and unpaired surrogates': [10002, 'alias\0', 'alias\ud83d'],
      'more than 64 bytes, regardless of the number of characters': [12009, 'x'.repeat(65), `x${'é'.repeat(32)}`],
    },
  }),
  ...pushTokenRows(path, {}, 'namer'),
  ...deviceCallerRows({ path, body: {}, newUserId: 3_070 }),
  ...effectRows,
];
