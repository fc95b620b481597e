import { refusedCallerRows } from './admin-scopes.ts';
import { saying } from './device-calls.ts';
import { addUser, adminOf, createAppCall, deviceTokens, inApp, logIn } from './fixture-devices.ts';
import { apps } from './fixtures.ts';
import { type Call, fieldRows, fromResponse, INT64_MAX, notInt64, notText, ok, type Row, refused } from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

const PATH = '/admin/app/ceilings';
const token = deviceTokens.platform;
const set = (app: string, ceilings: object = {}): Call => ({
  ...{ path: PATH, token },
  body: { target_app_id: app, ...ceilings },
});
const names = ['notify_per_second', 'open_tasks', 'users', 'devices', 'stored_bytes', 'sessions'] as const;
const APP = 'ceiling-field';
const rulesOfField = { path: PATH, token, before: [createAppCall(APP)], taken: () => ok };

const NOTIFY = '/push/notify';
const MESSAGE = { body: 'hello' };
const later = { ...MESSAGE, show_begin_time: ({ nowSeconds }: { nowSeconds: number }) => nowSeconds + 3_600 };
const notify = (app: string, message: object = MESSAGE) => inApp(app, NOTIFY, { audience: 'all', message });
const atCeiling = (ceiling: string) => refused(12030, new RegExp(`operator of this installation.*${ceiling}`));

/** `test/security/ceilings.test.ts` tests the enforcement by several processes. */
export const adminAppCeilingGroup: readonly Row[] = [
  ...bodyRows([createAppCall('ceiling-body')], set('ceiling-body')),
  ...fieldRows(
    { ...rulesOfField, body: {} },
    {
      name: 'target_app_id',
      takes: { 'the ID of an existing app': [APP] },
      refuses: {
        'a value that is not a string': [10002, ...notText],
        'the ID of an app that does not exist': [40000, 'nowhere'],
        'more than 64 characters': [12009, 'x'.repeat(65)],
      },
    },
  ),
  ...names.flatMap((name) =>
    fieldRows(
      {
        ...{ ...rulesOfField, body: { target_app_id: APP } },
        taken: (_name, value) => (value === -1 ? ok : saying(new RegExp(`"${name}":${value}\\b`))),
        blank: () => ok,
      },
      {
        name,
        takes: { '-1 to the largest integer that JSON clients do not round': [0, 1, Number.MAX_SAFE_INTEGER, -1] },
        refuses: {
          'a value out of range': [10002, -2, Number.MAX_SAFE_INTEGER + 1, INT64_MAX],
          'a value that is not an int64': [10002, ...notInt64],
        },
      },
    ),
  ),
  ...refusedCallerRows(set(APP), 'platform'),
  rules(
    PATH,
    'accepts an admin token of another app that has the platform scope',
    [deviceTokens.platform, deviceTokens.platformOnly].map((one) => ({
      before: [createAppCall(APP)],
      call: { ...set(APP), token: one },
      expect: ok,
    })),
  ),
  rules(
    PATH,
    'an app admin cannot set the ceilings of the same app or of another app: 10010',
    ['ceiling-self-0', apps.other].map((target, i) => ({
      before: [createAppCall(`ceiling-self-${i}`)],
      call: inApp(`ceiling-self-${i}`, PATH, { target_app_id: target, devices: 0 }),
      expect: refused(10010),
    })),
  ),
  rule(
    PATH,
    'leaves other ceilings unchanged, and -1 restores the default',
    [createAppCall('ceiling-some'), set('ceiling-some', { users: 5, devices: 6 })],
    set('ceiling-some', { users: -1 }),
    saying(/"users":100000000,"devices":6,/),
  ),
  rule(
    PATH,
    'admins of the app can read the ceilings and the usage',
    [createAppCall('ceiling-read'), set('ceiling-read', { sessions: 7 })],
    inApp('ceiling-read', '/admin/app/get'),
    saying(/"ceilings":\{[^}]*"sessions":7\},"usage":\{"open_tasks":0,/),
  ),
  rule(
    NOTIFY,
    'rejects calls beyond the ceiling notify_per_second: 12029',
    [createAppCall('ceiling-rate'), set('ceiling-rate', { notify_per_second: 1 }), notify('ceiling-rate')],
    notify('ceiling-rate'),
    { ...refused(12029, /notify_per_second is 1\. Ask the operator/), headers: { 'retry-after': /^1$/ } },
  ),
  rule(
    NOTIFY,
    'rejects a notification beyond the ceiling open_tasks: 12030',
    [createAppCall('ceiling-tasks'), set('ceiling-tasks', { open_tasks: 1 }), notify('ceiling-tasks', later)],
    notify('ceiling-tasks', later),
    { ...atCeiling('open_tasks is 1'), headers: { 'retry-after': /^\d+$/ } },
  ),
  rule(
    NOTIFY,
    'rejects a notification beyond the ceiling stored_bytes: 12030',
    [createAppCall('ceiling-bytes'), set('ceiling-bytes', { stored_bytes: 10 }), notify('ceiling-bytes')],
    notify('ceiling-bytes'),
    atCeiling('stored_bytes is 10'),
  ),
  rule(
    '/admin/user/create',
    'rejects a user beyond the ceiling users: 12030',
    [createAppCall('ceiling-users'), set('ceiling-users', { users: 1 }), addUser(1, adminOf('ceiling-users'))],
    addUser(2, adminOf('ceiling-users')),
    atCeiling('users is 1'),
  ),
  rules('/admin/user/token', 'rejects a new device beyond the ceiling devices, but no known one: 12030', [
    ...(['known', 'new'] as const).map((guid) => ({
      before: [
        createAppCall(`ceiling-${guid}`),
        set(`ceiling-${guid}`, { devices: 1 }),
        addUser(1, adminOf(`ceiling-${guid}`)),
        logIn(1, 'known', adminOf(`ceiling-${guid}`)),
      ],
      call: logIn(1, guid, adminOf(`ceiling-${guid}`)),
      expect: guid === 'known' ? ok : atCeiling('devices is 1'),
    })),
  ]),
  rule(
    '/user/register',
    'rejects a user beyond the ceiling users: 12030',
    [
      createAppCall('ceiling-register', { registration: true }),
      set('ceiling-register', { users: 1 }),
      addUser(1, adminOf('ceiling-register')),
    ],
    { app: 'ceiling-register', path: '/user/register', token: null, body: { name: 'new', password: 'a password' } },
    atCeiling('users is 1'),
  ),
  rule(
    '/push/task/cancel',
    'works at a ceiling',
    [createAppCall('ceiling-cancel'), set('ceiling-cancel', { open_tasks: 1 }), notify('ceiling-cancel', later)],
    inApp('ceiling-cancel', '/push/task/cancel', { task_id: fromResponse(2, 'task_id') }),
    ok,
  ),
];
