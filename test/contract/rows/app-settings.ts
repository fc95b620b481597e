import { adminCallerRows } from './admin-scopes.ts';
import { corsOriginRows, corsOrigins } from './cors-origins.ts';
import {
  addUser,
  adminOf,
  createAppCall,
  inApp,
  logIn,
  type SettingField,
  settingApp,
  settingToken,
} from './fixture-devices.ts';
import { apps } from './fixtures.ts';
import {
  type Call,
  type Expect,
  type Field,
  type FieldRules,
  fieldRows,
  fromResponse,
  notBoolean,
  notInteger,
  notText,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

/** Settings that the admins of an app can change, and their effects. */

const path = '/admin/app/update';

/** The validation rules for each setting, which are the same in every operation. */
export const settings: Readonly<Record<SettingField, Field>> = {
  name: {
    name: 'name',
    takes: { 'up to 128 characters, stored unchanged': ['x', 'é'.repeat(128), ' Glocken 钟 '] },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'NUL characters and unpaired surrogates': [10002, 'x\0', 'x\ud83d'],
      'more than 128 characters': [12009, 'x'.repeat(129)],
    },
  },
  token_days: {
    name: 'token_days',
    takes: { '1 to 3,650': [1, 90, 3_650] },
    refuses: { 'a value out of range': [10002, 0, -1, 3_651], 'a value that is not an int32': [10002, ...notInteger] },
  },
  http_errors: {
    name: 'http_errors',
    takes: { status: ['status'] },
    refuses: {
      'any other string': [10002, 'Status', 'never', ' status', 'always 200'],
      'a value that is not a string': [10002, ...notText, 200],
    },
  },
  user_push: {
    name: 'user_push',
    takes: { 'none, self and any': ['none', 'self', 'any'] },
    refuses: {
      'any other string': [10002, 'None', 'all', 'self '],
      'a value that is not a string': [10002, ...notText],
    },
  },
  registration: {
    name: 'registration',
    takes: { 'true and false': [true, false] },
    refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
  },
  country: {
    name: 'country',
    takes: { 'two-letter country codes': ['CN', 'DE', 'US', 'TW'] },
    refuses: {
      'a string that is not a country code': [10002, 'XX', 'ZZ', 'cn', 'C', '12', 'Ü!'],
      'more than two letters': [12009, 'CHN'],
      'a value that is not a string': [10002, ...notText, 86],
    },
  },
  notify_per_second: {
    name: 'notify_per_second',
    takes: { '0 to 1,000,000': [0, 1, 1_000_000] },
    refuses: {
      'a value out of range': [10002, -1, 1_000_001],
      'a value that is not an int32': [10002, ...notInteger],
    },
  },
  extra_counters: {
    name: 'extra_counters',
    takes: { 'true and false': [true, false] },
    refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
  },
  reject_typos: {
    name: 'reject_typos',
    takes: { 'true and false': [true, false] },
    refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
  },
  approval_above: {
    name: 'approval_above',
    takes: { '0 to 2,147,483,647': [0, 1, 2_147_483_647] },
    refuses: {
      'a value out of range': [10002, -2, 2_147_483_648],
      'a value that is not an int32': [10002, ...notInteger],
    },
  },
  cors_origins: corsOrigins,
};

const rulesOf = (name: SettingField): FieldRules => ({
  path,
  app: settingApp(name),
  token: settingToken(name),
  body: {},
  taken: (_name, value) => ({ code: 200, data: { app_id: settingApp(name), [name]: value } }),
  blank: () => ({ code: 200, data: { app_id: settingApp(name) } }),
});

const fieldsRows: readonly Row[] = [
  ...Object.values(settings).flatMap((field) => fieldRows(rulesOf(field.name as SettingField), field)),
  ...corsOriginRows(rulesOf('cors_origins')),
  {
    rule: `${path} body.approval_above accepts -1, which means that no draft needs approval`,
    path: `${path} body.approval_above`,
    kind: 'legal',
    cases: [
      {
        before: [createAppCall('update-approval', { approval_above: 5 })],
        call: inApp('update-approval', path, { approval_above: -1 }),
        expect: { code: 200, data: { approval_above: null } },
      },
    ],
  },
];

const update = (app: string, body: object): Call => inApp(app, path, body);
const get = (app: string): Call => inApp(app, '/admin/app/get');
/** Creates a user of the app and logs the user in. The third response contains the access token. */
const somebody = (app: string): readonly Call[] => [addUser(1, adminOf(app)), logIn(1, 'phone', adminOf(app))];
const returnedSettings = (data: Readonly<Record<string, unknown>>): Expect => ({ code: 200, data });

const updateRows: readonly Row[] = [
  ...bodyRows(
    [],
    { path, app: settingApp('name'), token: settingToken('name'), body: { country: 'CN' } },
    returnedSettings({ country: 'CN' }),
  ),
  {
    rule: `${path} body.http_errors accepts always200`,
    path: `${path} body.http_errors`,
    kind: 'legal',
    cases: [
      {
        before: [createAppCall('update-always200')],
        call: update('update-always200', { http_errors: 'always200' }),
        expect: returnedSettings({ http_errors: 'always200' }),
      },
    ],
  },
  rule(
    path,
    'sets the given fields and leaves the others unchanged',
    [
      createAppCall('update-rest', { token_days: 5, user_push: 'any', country: 'DE' }),
      update('update-rest', { name: 'Rest', registration: true }),
    ],
    get('update-rest'),
    returnedSettings({
      name: 'Rest',
      registration: true,
      token_days: 5,
      user_push: 'any',
      country: 'DE',
      http_errors: 'status',
      notify_per_second: 0,
      extra_counters: false,
      reject_typos: true,
      cors_origins: [],
    }),
  ),
  rule(
    path,
    'cors_origins none: removes all origins',
    [createAppCall('update-origins', { cors_origins: ['https://shop.example.com'] })],
    update('update-origins', { cors_origins: ['none'] }),
    returnedSettings({ cors_origins: [] }),
  ),
  rules(
    path,
    'returns the settings if no field is given',
    [{}, { body: {} }, { body: { token_days: null, country: ' ' } }].map((sent, i) => ({
      before: [createAppCall(`update-nothing-${i}`, { token_days: 5 })],
      call: { ...get(`update-nothing-${i}`), path, ...sent },
      expect: returnedSettings({ token_days: 5, country: 'CN' }),
    })),
  ),
  rule(
    path,
    'sets nothing if one field is invalid',
    [createAppCall('update-wrong'), update('update-wrong', { token_days: 5, country: 'XX' })],
    get('update-wrong'),
    returnedSettings({ token_days: 90, country: 'CN' }),
  ),
  rule(
    path,
    'ignores unknown fields and does not change the app ID',
    [createAppCall('update-id')],
    update('update-id', { app_id: 'other', disabled: true, public_key: 'x' }),
    returnedSettings({ app_id: 'update-id', disabled: false, public_key: /^-----BEGIN PUBLIC KEY-----/ }),
  ),
  rule(
    path,
    'leaves the settings of other apps unchanged',
    [createAppCall('update-one'), update('update-one', { token_days: 5 })],
    { path: '/admin/app/get', app: apps.bells },
    returnedSettings({ token_days: 90 }),
  ),
];

/** A notification sent by the user whose access token is in the third response. */
const notifyAs = (app: string, audience: unknown): Call => ({
  app,
  path: '/push/notify',
  token: fromResponse(2, 'token'),
  body: { audience, message: { body: 'hello' } },
});
const register = (app: string, body: object = { name: 'newcomer', password: 'a good password' }): Call => ({
  app,
  path: '/user/register',
  token: null,
  body,
});

const effectRows: readonly Row[] = [
  rule(
    path,
    'registration true: users can register themselves',
    [createAppCall('set-registration'), update('set-registration', { registration: true })],
    register('set-registration'),
    { code: 200, data: { token: /^cu_/ } },
  ),
  rule(
    path,
    'registration false: users cannot register themselves: 10010',
    [
      createAppCall('unset-registration', { registration: true }),
      update('unset-registration', { registration: false }),
    ],
    register('unset-registration'),
    refused(10010),
  ),
  rule(
    path,
    'user_push none: users cannot send notifications: 10010',
    [createAppCall('set-push-none'), ...somebody('set-push-none'), update('set-push-none', { user_push: 'none' })],
    notifyAs('set-push-none', { user_id: [1] }),
    refused(10010),
  ),
  rule(
    path,
    'user_push any: users can notify all users',
    [createAppCall('set-push-any'), ...somebody('set-push-any'), update('set-push-any', { user_push: 'any' })],
    notifyAs('set-push-any', 'all'),
    { code: 200 },
  ),
  rule(
    path,
    'user_push self: users can notify only themselves: 10010',
    [
      createAppCall('set-push-self', { user_push: 'any' }),
      ...somebody('set-push-self'),
      update('set-push-self', { user_push: 'self' }),
    ],
    notifyAs('set-push-self', 'all'),
    refused(10010),
  ),
  rules(
    path,
    'http_errors always200: every response has status 200, regardless of its code',
    (
      [
        ['/admin/token/revoke', { token_id: 1 }, 10002],
        ['/push/notify', {}, 10002],
        ['/no/such/operation', {}, 10006],
        ['/admin/app/list', {}, 10010],
      ] as const
    ).map(([operation, body, code], i) => {
      const app = `set-always200-${i}`;
      return {
        before: [createAppCall(app), update(app, { http_errors: 'always200' })],
        call: inApp(app, operation, body),
        expect: { code, status: 200 },
      };
    }),
  ),
  rule(
    path,
    'http_errors status: errors have an HTTP error status again',
    [createAppCall('set-status', { http_errors: 'always200' }), update('set-status', { http_errors: 'status' })],
    inApp('set-status', '/admin/token/revoke', { token_id: 1 }),
    refused(10002),
  ),
  rule(
    path,
    'token_days: sets the lifetime of new access tokens',
    [createAppCall('set-days'), addUser(1, adminOf('set-days')), update('set-days', { token_days: 3 })],
    logIn(1, 'phone', adminOf('set-days')),
    { code: 200, tokenDays: 3 },
  ),
  rule(
    path,
    'token_days: does not change the lifetime of existing access tokens',
    [createAppCall('set-fewer-days'), ...somebody('set-fewer-days'), update('set-fewer-days', { token_days: 1 })],
    { app: 'set-fewer-days', path: '/device/list', token: fromResponse(2, 'token') },
    { code: 200, rows: [{ device_guid: 'phone' }] },
  ),
  rule(
    path,
    'country: applies to mobile numbers without a country code',
    [
      createAppCall('set-country'),
      update('set-country', { country: 'DE' }),
      inApp('set-country', '/admin/user/create', { user_id: 1, mobile: '0151 23456789' }),
    ],
    inApp('set-country', '/admin/user/find', { user_id: 1 }),
    returnedSettings({ mobile: '+4915123456789' }),
  ),
  rule(
    path,
    'country: applies to logins by mobile number too',
    [
      createAppCall('set-country-login', { registration: true }),
      update('set-country-login', { country: 'DE' }),
      register('set-country-login', { mobile: '+4915123456789', password: 'a good password' }),
    ],
    {
      app: 'set-country-login',
      path: '/token/login',
      token: null,
      body: { login_name: '0151 23456789', password: 'a good password' },
    },
    { code: 200 },
  ),
];

export const appSettingGroup: readonly Row[] = [
  // Other rows use `bells` too, so permitted callers send an empty body that changes nothing.
  ...adminCallerRows({ path, body: {} }, 'manage', returnedSettings({ app_id: apps.bells })),
  ...fieldsRows,
  ...updateRows,
  ...effectRows,
];
