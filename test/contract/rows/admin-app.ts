import { adminCallerRows, refusedCallerRows } from './admin-scopes.ts';
import { settings } from './app-settings.ts';
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
  disabled: false,
  public_key: /^-----BEGIN PUBLIC KEY-----\n[\w+/=]+\n-----END PUBLIC KEY-----\n$/,
  created_at: /^\d{13}$/,
  ...more,
});

const getRows: readonly Row[] = [
  ...adminCallerRows({ path: GET }, 'manage', { code: 200, data: { app_id: apps.bells } }),
  rule(GET, 'the app of the token, with its settings', [createAppCall('get-whole')], inApp('get-whole', GET), {
    code: 200,
    data: record('get-whole'),
    dataWithout: ['private_key'],
  }),
  rule(GET, 'it ignores a body', [createAppCall('get-body')], inApp('get-body', GET, { app_id: apps.bells }), {
    code: 200,
    data: { app_id: 'get-body' },
  }),
];

const listRows: readonly Row[] = [
  ...adminCallerRows({ path: LIST }, 'platform', saying(/"app_id":"bells"/)),
  rule(
    LIST,
    'apps are told in the order of their IDs, with their settings',
    [],
    platform(LIST),
    saying(
      /"app_id":"always200-app",.*"http_errors":"always200".*"app_id":"bells",.*"app_id":"week-app",.*"token_days":7/,
    ),
  ),
  rule(LIST, 'shut ones too', [], platform(LIST), saying(/"app_id":"disabled-app",[^{}]*"disabled":true/)),
  rule(LIST, 'keys that are secret are not', [], platform(LIST), saying(/^(?!.*(PRIVATE|private_key))/)),
  rule(
    LIST,
    'one that was made a moment ago is there',
    [createAppCall('list-made')],
    platform(LIST),
    saying(/"list-made"/),
  ),
];

/** Makes the ID of every created app unique. */
let made = 0;
const freshId: FromContext = () => `made-${++made}`;
const good = { new_app_id: freshId, name: 'Made' };
const fields = { path: CREATE, token, body: good, taken: () => ok };

/** App IDs that every operation rejects. */
const refusedIds: Field['refuses'] = {
  'what is not text': [10002, ...notText],
  'other letters than A to Z, digits, `.`, `_` and `-`': [10002, 'a b', 'ä', 'a/b', 'a\n', 'a\0', '钟', 'a,b', ' a'],
  'a mark at its beginning': [10002, '.a', '-a', '_a'],
  'more than 64 characters': [12009, 'x'.repeat(65)],
};

const createRows: readonly Row[] = [
  ...bodyRows([], platform(CREATE, { ...good, new_app_id: 'create-body' })),
  ...fieldRows(fields, {
    name: 'new_app_id',
    takes: { 'letters, digits, `.`, `_` and `-`, at most 64': ['a', 'A.b_c-9', '7', 'x'.repeat(64)] },
    refuses: { ...refusedIds, 'one that there is': [10004, apps.bells, apps.disabled] },
  }),
  ...Object.values(settings).flatMap((field) =>
    fieldRows({ ...fields, ...(field.name !== 'name' && { blank: () => ok }) }, field),
  ),
  ...adminCallerRows(platform(CREATE, { new_app_id: apps.bells, name: 'x' }), 'platform', refused(10004)),
  rule(CREATE, 'it answers the ID and an admin token, which no cache may keep', [], createAppCall('create-answer'), {
    code: 200,
    data: { app_id: 'create-answer', admin_token: /^ca_[0-9A-Za-z]{40,}$/ },
    headers: { 'cache-control': /^no-store$/ },
  }),
  rule(
    CREATE,
    'the app has the settings that were given',
    [
      createAppCall('create-set', {
        name: 'Set',
        token_days: 5,
        http_errors: 'always200',
        user_push: 'any',
        registration: true,
        country: 'DE',
        notify_per_second: 1_000_000,
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
      }),
    },
  ),
  rule(
    CREATE,
    'the token holds everything in the new app',
    [createAppCall('create-token')],
    inApp('create-token', '/admin/token/list'),
    { code: 200, rows: [{ name: 'first admin', scopes: ['*'], expire: null }] },
  ),
  rule(
    CREATE,
    'but not the scope platform: 10010',
    [createAppCall('create-scope')],
    inApp('create-scope', CREATE, { new_app_id: 'never-made', name: 'x' }),
    refused(10010, /platform/),
  ),
  rule(
    CREATE,
    'the token opens no other app: 10008',
    [createAppCall('create-other')],
    { ...inApp('create-other', GET), app: apps.bells },
    refused(10008),
  ),
  rule(
    CREATE,
    'an ID is taken once: 10004',
    [createAppCall('create-twice')],
    createAppCall('create-twice'),
    refused(10004, /ID/),
  ),
  rule(
    CREATE,
    'a second try changes nothing in the first app',
    [createAppCall('create-again', { token_days: 5 }), createAppCall('create-again', { token_days: 6, name: 'other' })],
    inApp('create-again', GET),
    { code: 200, data: { token_days: 5, name: 'create-again' } },
  ),
  rule(CREATE, 'capitals make another ID', [createAppCall('create-case')], createAppCall('Create-Case'), {
    code: 200,
    data: { app_id: 'Create-Case' },
  }),
  rule(
    CREATE,
    'what is refused makes no app: 40000',
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
      takes: { 'one of an app that there is': [target] },
      refuses: { ...refusedIds, 'one of an app that there is not': [40000, 'nowhere', target.toUpperCase()] },
    },
  ),
  ...refusedCallerRows(platform(path, { target_app_id: target }), 'platform'),
  rules(
    path,
    'an admin token with the scope platform may, of whichever app it is',
    [deviceTokens.platform, deviceTokens.platformOnly].map((one) => ({
      before: [createAppCall(target)],
      call: { ...platform(path, { target_app_id: target }), token: one },
      expect: ok,
    })),
  ),
  rule(path, 'unknown fields are ignored', [], platform(path, { target_app_id: target, app_id: apps.bells }), ok),
];

const disableRows: readonly Row[] = [
  ...idField(DISABLE, 'shut-field'),
  ...idField(ENABLE, 'open-field'),
  rules(DISABLE, 'every call for this app is refused: 40000', [
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
    'the app of the token itself is refused: 10002',
    [],
    disable(apps.bells),
    refused(10002, /app of this token/),
  ),
  rule(DISABLE, 'and stays open', [disable(apps.bells)], { path: GET }, ok),
  rule(
    DISABLE,
    'said twice it is the same',
    [createAppCall('shut-twice'), disable('shut-twice')],
    disable('shut-twice'),
    ok,
  ),
  rule(
    DISABLE,
    'its data stay',
    [...somebody('shut-data'), disable('shut-data'), enable('shut-data')],
    use('shut-data'),
    {
      code: 200,
      rows: [{ device_guid: 'phone', user_id: 1n }],
    },
  ),
  rule(DISABLE, 'other apps are not touched', [createAppCall('shut-one'), disable('shut-one')], { path: GET }, ok),
  rule(
    DISABLE,
    'its ID is still taken: 10004',
    [createAppCall('shut-id'), disable('shut-id')],
    createAppCall('shut-id'),
    refused(10004),
  ),
  rule(
    ENABLE,
    'calls are answered again',
    [createAppCall('open-again'), disable('open-again'), inApp('open-again', GET), enable('open-again')],
    inApp('open-again', GET),
    { code: 200, data: { app_id: 'open-again', disabled: false } },
  ),
  rule(
    ENABLE,
    'an app that is open stays so',
    [createAppCall('open-open'), enable('open-open')],
    inApp('open-open', GET),
    ok,
  ),
  rule(
    ENABLE,
    'the admin of an app cannot open it: 40000',
    [createAppCall('open-self'), disable('open-self')],
    inApp('open-self', ENABLE, { target_app_id: 'open-self' }),
    refused(40000),
  ),
  rules(
    DISABLE,
    'the admin of an app cannot shut it or another: 10010',
    ['shut-self', apps.other].map((target, i) => ({
      before: [createAppCall(`shut-self-${i}`)],
      call: inApp(`shut-self-${i}`, DISABLE, { target_app_id: target }),
      expect: refused(10010),
    })),
  ),
  rule(
    LIST,
    'whoever holds everything in an app does not see the others: 10010',
    [],
    { path: LIST, token: tokens.admin },
    refused(10010, /platform/),
  ),
];

export const adminAppGroup: readonly Row[] = [...getRows, ...listRows, ...createRows, ...disableRows];
