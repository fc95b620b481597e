import { adminCallerRows, refusedCallerRows } from './admin-scopes.ts';
import { settings } from './app-settings.ts';
import { corsOriginRows } from './cors-origins.ts';
import { saying } from './device-calls.ts';
import { addUser, adminOf, createAppCall, deviceTokens, inApp, logIn } from './fixture-devices.ts';
import { apps, tokens } from './fixtures.ts';
import {
  type Call,
  type Field,
  type FromContext,
  fieldRows,
  fromResponse,
  notText,
  ok,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

const GET = '/admin/app/get';
const LIST = '/admin/app/list';
const CREATE = '/admin/app/create';
const DISABLE = '/admin/app/disable';
const ENABLE = '/admin/app/enable';

const token = deviceTokens.platform;
const platform = (path: string, body?: unknown): Call => ({ path, token, ...(body !== undefined && { body }) });

const record = (app: string, more: Readonly<Record<string, unknown>> = {}) => ({
  app_id: app,
  name: app,
  token_days: 90,
  http_errors: 'status',
  user_push: 'self',
  registration: false,
  country: 'CN',
  notify_per_second: 0,
  extra_counters: false,
  reject_typos: true,
  approval_above: null,
  cors_origins: [],
  disabled: false,
  public_key: /^-----BEGIN PUBLIC KEY-----\n[\w+/=]+\n-----END PUBLIC KEY-----\n$/,
  created_at: /^\d{13}$/,
  ...more,
});

const getRows: readonly Row[] = [
  ...adminCallerRows({ path: GET }, 'manage', { code: 200, data: { app_id: apps.bells } }),
  rule(GET, 'returns the app of the token with its settings', [createAppCall('get-whole')], inApp('get-whole', GET), {
    code: 200,
    data: record('get-whole'),
    dataWithout: ['private_key'],
  }),
  rule(GET, 'ignores the body', [createAppCall('get-body')], inApp('get-body', GET, { app_id: apps.bells }), {
    code: 200,
    data: { app_id: 'get-body' },
  }),
];

const listRows: readonly Row[] = [
  ...adminCallerRows({ path: LIST }, 'platform', saying(/"app_id":"bells"/)),
  rule(
    LIST,
    'returns the apps ordered by ID, with their settings',
    [],
    platform(LIST),
    saying(
      /"app_id":"always200-app",.*"http_errors":"always200".*"app_id":"bells",.*"app_id":"week-app",.*"token_days":7/,
    ),
  ),
  rule(LIST, 'includes disabled apps', [], platform(LIST), saying(/"app_id":"disabled-app",[^{}]*"disabled":true/)),
  rule(LIST, 'does not return private keys', [], platform(LIST), saying(/^(?!.*(PRIVATE|private_key))/)),
  rule(
    LIST,
    'includes an app that was just created',
    [createAppCall('list-made')],
    platform(LIST),
    saying(/"list-made"/),
  ),
];

/** Counter that makes the ID of every created app unique. */
let made = 0;
const freshId: FromContext = () => `made-${++made}`;
const good = { new_app_id: freshId, name: 'Made' };
const fields = { path: CREATE, token, body: good, taken: () => ok };

/** App IDs that every operation on apps rejects. */
const refusedIds: Field['refuses'] = {
  'a value that is not a string': [10002, ...notText],
  'characters other than ASCII letters, digits, `.`, `_` and `-`': [
    10002,
    'a b',
    'ä',
    'a/b',
    'a\n',
    'a\0',
    '钟',
    'a,b',
    ' a',
  ],
  'a leading `.`, `-` or `_`': [10002, '.a', '-a', '_a'],
  'more than 64 characters': [12009, 'x'.repeat(65)],
};

const createRows: readonly Row[] = [
  ...bodyRows([], platform(CREATE, { ...good, new_app_id: 'create-body' })),
  ...fieldRows(fields, {
    name: 'new_app_id',
    takes: { 'up to 64 letters, digits, `.`, `_` and `-`': ['a', 'A.b_c-9', '7', 'x'.repeat(64)] },
    refuses: { ...refusedIds, 'an ID that is already in use': [10004, apps.bells, apps.disabled] },
  }),
  ...Object.values(settings).flatMap((field) =>
    fieldRows({ ...fields, ...(field.name !== 'name' && { blank: () => ok }) }, field),
  ),
  ...corsOriginRows(fields),
  ...adminCallerRows(platform(CREATE, { new_app_id: apps.bells, name: 'x' }), 'platform', refused(10004)),
  rule(CREATE, 'returns the ID and an admin token and forbids caching', [], createAppCall('create-answer'), {
    code: 200,
    data: { app_id: 'create-answer', admin_token: /^ca_[0-9A-Za-z]{40,}$/ },
    headers: { 'cache-control': /^no-store$/ },
  }),
  rule(
    CREATE,
    'creates the app with the given settings',
    [
      createAppCall('create-set', {
        name: 'Set',
        token_days: 5,
        http_errors: 'always200',
        user_push: 'any',
        registration: true,
        country: 'DE',
        notify_per_second: 1_000_000,
        extra_counters: true,
        reject_typos: false,
        approval_above: 1_000,
        cors_origins: ['https://shop.example.com'],
      }),
    ],
    inApp('create-set', GET),
    {
      code: 200,
      data: record('create-set', {
        name: 'Set',
        token_days: 5,
        http_errors: 'always200',
        user_push: 'any',
        registration: true,
        country: 'DE',
        notify_per_second: 1_000_000,
        extra_counters: true,
        reject_typos: false,
        approval_above: 1_000,
        cors_origins: ['https://shop.example.com'],
      }),
    },
  ),
  rule(
    CREATE,
    'the returned token has the * scope in the new app',
    [createAppCall('create-token')],
    inApp('create-token', '/admin/token/list'),
    { code: 200, rows: [{ name: 'first admin', scopes: ['*'], expire: null }] },
  ),
  rule(
    CREATE,
    'the returned token does not have the platform scope: 10010',
    [createAppCall('create-scope')],
    inApp('create-scope', CREATE, { new_app_id: 'never-made', name: 'x' }),
    refused(10010, /platform/),
  ),
  rule(
    CREATE,
    'the returned token is rejected in other apps: 10008',
    [createAppCall('create-other')],
    { ...inApp('create-other', GET), app: apps.bells },
    refused(10008),
  ),
  rule(
    CREATE,
    'rejects an ID that is already in use: 10004',
    [createAppCall('create-twice')],
    createAppCall('create-twice'),
    refused(10004, /ID/),
  ),
  rule(
    CREATE,
    'a second request with the same ID leaves the first app unchanged',
    [createAppCall('create-again', { token_days: 5 }), createAppCall('create-again', { token_days: 6, name: 'other' })],
    inApp('create-again', GET),
    { code: 200, data: { token_days: 5, name: 'create-again' } },
  ),
  rule(CREATE, 'IDs are case-sensitive', [createAppCall('create-case')], createAppCall('Create-Case'), {
    code: 200,
    data: { app_id: 'Create-Case' },
  }),
  rule(
    CREATE,
    'a rejected request creates no app: 40000',
    [createAppCall('create-refused', { country: 'XX' })],
    { app: 'create-refused', path: GET },
    refused(40000),
  ),
];

/** A request that any user token can make. It is sent before and after the app is disabled. */
const use = (app: string): Call => ({ app, path: '/device/list', token: fromResponse(2, 'token') });
const somebody = (app: string): readonly Call[] => [
  createAppCall(app),
  addUser(1, adminOf(app)),
  logIn(1, 'phone', adminOf(app)),
  use(app),
];
const disable = (app: string) => platform(DISABLE, { target_app_id: app });
const enable = (app: string) => platform(ENABLE, { target_app_id: app });

const idField = (path: string, target: string): readonly Row[] => [
  ...bodyRows([createAppCall(target)], platform(path, { target_app_id: target })),
  ...fieldRows(
    { path, token, before: [createAppCall(target)], body: {}, taken: () => ok },
    {
      name: 'target_app_id',
      takes: { 'the ID of an existing app': [target] },
      refuses: { ...refusedIds, 'the ID of an app that does not exist': [40000, 'nowhere', target.toUpperCase()] },
    },
  ),
  ...refusedCallerRows(platform(path, { target_app_id: target }), 'platform'),
  rules(
    path,
    'accepts an admin token of another app that has the platform scope',
    [deviceTokens.platform, deviceTokens.platformOnly].map((one) => ({
      before: [createAppCall(target)],
      call: { ...platform(path, { target_app_id: target }), token: one },
      expect: ok,
    })),
  ),
  rule(path, 'ignores unknown fields', [], platform(path, { target_app_id: target, app_id: apps.bells }), ok),
];

const disableRows: readonly Row[] = [
  ...idField(DISABLE, 'shut-field'),
  ...idField(ENABLE, 'open-field'),
  rules(DISABLE, 'rejects every request for a disabled app: 40000', [
    { before: [...somebody('shut-user'), disable('shut-user')], call: use('shut-user'), expect: refused(40000) },
    {
      before: [createAppCall('shut-admin'), disable('shut-admin')],
      call: inApp('shut-admin', GET),
      expect: refused(40000),
    },
    {
      before: [createAppCall('shut-login'), disable('shut-login')],
      call: { app: 'shut-login', path: '/token/id', token: null, body: { user_id: 1, password: 'x' } },
      expect: refused(40000),
    },
  ]),
  rule(
    DISABLE,
    'rejects the app of the calling token: 10002',
    [],
    disable(apps.bells),
    refused(10002, /app of this token/),
  ),
  rule(DISABLE, 'leaves the app of the calling token enabled', [disable(apps.bells)], { path: GET }, ok),
  rule(DISABLE, 'can be repeated', [createAppCall('shut-twice'), disable('shut-twice')], disable('shut-twice'), ok),
  rule(
    DISABLE,
    'keeps the data of the app',
    [...somebody('shut-data'), disable('shut-data'), enable('shut-data')],
    use('shut-data'),
    {
      code: 200,
      rows: [{ device_guid: 'phone', user_id: 1n }],
    },
  ),
  rule(DISABLE, 'leaves other apps enabled', [createAppCall('shut-one'), disable('shut-one')], { path: GET }, ok),
  rule(
    DISABLE,
    'the ID of a disabled app cannot be reused: 10004',
    [createAppCall('shut-id'), disable('shut-id')],
    createAppCall('shut-id'),
    refused(10004),
  ),
  rule(
    ENABLE,
    'requests for the app are accepted again',
    [createAppCall('open-again'), disable('open-again'), inApp('open-again', GET), enable('open-again')],
    inApp('open-again', GET),
    { code: 200, data: { app_id: 'open-again', disabled: false } },
  ),
  rule(
    ENABLE,
    'leaves an enabled app enabled',
    [createAppCall('open-open'), enable('open-open')],
    inApp('open-open', GET),
    ok,
  ),
  rule(
    ENABLE,
    'an admin of a disabled app cannot enable it: 40000',
    [createAppCall('open-self'), disable('open-self')],
    inApp('open-self', ENABLE, { target_app_id: 'open-self' }),
    refused(40000),
  ),
  rules(
    DISABLE,
    'an app admin cannot disable their own app or another app: 10010',
    ['shut-self', apps.other].map((target, i) => ({
      before: [createAppCall(`shut-self-${i}`)],
      call: inApp(`shut-self-${i}`, DISABLE, { target_app_id: target }),
      expect: refused(10010),
    })),
  ),
  rule(
    LIST,
    'rejects a token with the * scope but without platform: 10010',
    [],
    { path: LIST, token: tokens.admin },
    refused(10010, /platform/),
  ),
];

export const adminAppGroup: readonly Row[] = [...getRows, ...listRows, ...createRows, ...disableRows];
