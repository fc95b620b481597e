import { refusedTexts } from './admin-device.ts';
import { adminCallerRows } from './admin-scopes.ts';
import { ruleOf, theirPushToken } from './device-calls.ts';
import { addUser, adminOf, createAppCall, inApp, inherited, logIn, owners } from './fixture-devices.ts';
import { nora } from './fixture-users.ts';
import { apps, devices, groups, NOBODY, tokens, users } from './fixtures.ts';
import { type Call, type CaseContext, type Expect, fieldRows, INT64_MAX, type Row, taskOf } from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

const path = '/admin/lookup';
const { onlooker, former, heir } = owners;

const lookUp = (text: unknown): Call => ({ path, token: tokens.manage, body: { text } });
const found = (...rows: readonly object[]): Expect => ({ code: 200, data: { incomplete: false }, rows });
const nothing = found();
const noIds = { user_id: null, push_token: null, device_guid: null, task_id: null, group_id: null };
const isNora = (matched: string) => found({ ...noIds, kind: 'user', matched, label: nora.name, user_id: nora.userId });
const onlookersPhone = (matched: string) =>
  found({
    ...noIds,
    ...{ kind: 'device', matched, label: onlooker.guid, user_id: onlooker.userId },
    ...{ push_token: onlooker.pushToken, device_guid: onlooker.guid },
  });
const finds = (sentence: string, expect: Expect, texts: readonly unknown[]): Row =>
  rules(
    path,
    sentence,
    texts.map((text) => ({ call: lookUp(text), expect })),
  );
const asText =
  (value: (context: CaseContext) => unknown) =>
  (context: CaseContext): string =>
    String(value(context));
const notify = (requestId: string, more: Partial<Call> = {}): Call => ({
  path: '/push/notify',
  token: tokens.push,
  body: {
    audience: { user_id: [users.ann.userId] },
    message: { title: 'Rehearsal' },
    setting: { request_id: requestId },
  },
  ...more,
});
const theTask = (matched: string) => found({ ...noIds, kind: 'task', matched, label: 'Rehearsal', task_id: taskOf(0) });

export const adminLookupGroup: readonly Row[] = [
  ...bodyRows([], lookUp('nobodys'), nothing),
  ...fieldRows(
    { path, token: tokens.manage, body: {}, taken: () => nothing },
    {
      name: 'text',
      takes: { 'any string': ['nobodys', '{"endpoint":1}', 'x'.repeat(4_096), `p000${'x'.repeat(27)}`] },
      refuses: refusedTexts(4_096),
    },
  ),
  finds('finds a user by ID, also with spaces around it', isNora('user_id'), [`${nora.userId}`, ` ${nora.userId}\n`]),
  finds('finds a user by name', isNora('name'), [nora.name, 'No\u0308ra']),
  finds('finds a user by mobile number, with and without the country code', isNora('mobile'), [
    nora.mobile,
    nora.mobile.slice(1),
    '137 0000-0021',
    '0086 137 0000 0021',
  ]),
  finds('finds a user by email address in upper or lower case', isNora('email'), [nora.email, 'N\u00d6RA@EXAMPLE.COM']),
  finds('finds a disabled user', found({ kind: 'user', user_id: users.disabled.userId }), [users.disabled.name]),
  ruleOf(
    path,
    'finds a user by alias',
    3_601,
    (by) => [by.call('/device/alias', { alias: 'of-3601' }), lookUp('of-3601')],
    found({ ...noIds, kind: 'user', matched: 'alias', label: '3601', user_id: 3_601 }),
  ),
  ruleOf(
    path,
    'returns a user once if the alias is the user ID',
    3_602,
    (by) => [by.call('/device/alias', { alias: '3602' }), lookUp('3602')],
    found({ kind: 'user', matched: 'user_id', user_id: 3_602 }),
  ),
  finds('finds a device by push token', onlookersPhone('push_token'), [onlooker.pushToken]),
  finds('finds a device by device_guid', onlookersPhone('device_guid'), [onlooker.guid]),
  finds(
    'returns one device for each user of a device_guid, without a push token if no user is logged in',
    found(
      { kind: 'device', user_id: heir.userId, push_token: inherited.pushToken },
      { kind: 'device', user_id: null, push_token: null, device_guid: former.guid },
    ),
    [former.guid],
  ),
  ...(
    [
      ['an APNs token', 3_603, { provider: 1, token: 'apns-a1' }, 'apns-a1'],
      ['a Huawei token', 3_604, { provider: 2, token: 'huawei-a1' }, 'huawei-a1'],
    ] as const
  ).map(([what, userId, binding, text]) =>
    ruleOf(
      path,
      `finds a device by ${what}, and does not return the token`,
      userId,
      (by) => [by.call('/device/bind', binding), lookUp(text)],
      {
        code: 200,
        rows: [{ kind: 'device', matched: 'vendor_token', user_id: userId, push_token: theirPushToken }],
        text: new RegExp(`^(?!.*${text})`),
      },
    ),
  ),
  rule(path, 'finds a task by ID', [notify('look-1')], lookUp(asText(taskOf(0))), theTask('task_id')),
  rule(path, 'finds the task of a request_id of an admin', [notify('look-2')], lookUp('look-2'), theTask('request_id')),
  rule(
    path,
    'does not find the request_id of a user',
    [notify('look-3', { token: tokens.ann })],
    lookUp('look-3'),
    nothing,
  ),
  finds('finds a group by ID', found({ ...noIds, kind: 'group', matched: 'group_id', group_id: groups.choir }), [
    `${groups.choir}`,
  ]),
  rule(
    path,
    'returns every object that has a number: a user, a device and a group',
    [
      createAppCall('lookup-numbers'),
      addUser(55, adminOf('lookup-numbers')),
      logIn(55, '55', adminOf('lookup-numbers')),
      inApp('lookup-numbers', '/admin/group/create', { group_id: 55, name: 'fifty-five' }),
    ],
    inApp('lookup-numbers', path, { text: '55' }),
    found(
      { kind: 'user', matched: 'user_id', user_id: 55 },
      { kind: 'device', matched: 'device_guid', user_id: 55, device_guid: '55' },
      { kind: 'group', matched: 'group_id', group_id: 55, label: 'fifty-five' },
    ),
  ),
  rule(
    path,
    'returns at most 20 matches',
    [
      createAppCall('lookup-crowd'),
      ...Array.from({ length: 22 }, (_, i) => [
        addUser(i + 1, adminOf('lookup-crowd')),
        logIn(i + 1, 'shared', adminOf('lookup-crowd')),
      ]).flat(),
    ],
    inApp('lookup-crowd', path, { text: 'shared' }),
    found(...Array.from({ length: 20 }, () => ({ kind: 'device', device_guid: 'shared' }))),
  ),
  finds('returns an empty list if nothing matches', nothing, [
    'nobodys',
    `${NOBODY}`,
    `${INT64_MAX}0`,
    '-1',
    former.pushToken,
    tokens.ann,
    tokens.manage,
  ]),
  rules(
    path,
    'does not find objects of other apps',
    [devices.pushNoneUser.guid, devices.pushNoneUser.pushToken].map((text) => ({
      call: lookUp(text),
      expect: nothing,
    })),
  ),
  rule(
    path,
    'does not find tasks and request IDs of other apps',
    [notify('look-4', { app: apps.other, token: tokens.otherAdmin })],
    lookUp(asText(taskOf(0))),
    nothing,
  ),
  ...adminCallerRows(lookUp('nobodys'), 'manage', nothing),
];
