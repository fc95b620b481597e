import { adminCallerRows } from './admin-scopes.ts';
import { saying } from './device-calls.ts';
import { addUser, adminOf, certificateApp, createAppCall, deviceTokens, inApp, logIn } from './fixture-devices.ts';
import {
  type Call,
  type Expect,
  fieldRows,
  fromResponse,
  INT64_MAX,
  INT64_MIN,
  notBoolean,
  notInt64,
  notInteger,
  ok,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

/** Audit entries. Each row uses its own app. Entries about users and groups are tested in `admin-audit-users.ts`. */

const path = '/admin/audit/list';
const SAVE = '/admin/certificate/save';
const READ = '/push/certificate';

const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
const save = (app: string, body: object = {}): Call => inApp(app, SAVE, { ...honor, ...body });
const read = (app: string, provider = 8): Call =>
  inApp(app, READ, undefined, { method: 'GET', query: `provider=${provider}` });
const list = (app: string, body: object = {}): Call => inApp(app, path, body);

/** Expects exactly these entries, latest first. */
const entries = (...expectedEntries: readonly (readonly [operation: string, detail: object])[]): Expect => ({
  code: 200,
  rows: expectedEntries.map(([operation, detail]) => ({ operation, detail: JSON.stringify(detail) })),
});

const fieldsRows: readonly Row[] = [
  ...bodyRows([], { path, ...certificateApp, body: { limit: 5 } }),
  ...fieldRows(
    { path, ...certificateApp, body: {}, taken: () => ok, blank: () => ok },
    {
      name: 'after',
      takes: { 'any int64': [0, 5, -1, INT64_MAX, INT64_MIN] },
      refuses: { 'a value that is not an int64': [10002, ...notInt64] },
    },
  ),
  ...fieldRows(
    { path, ...certificateApp, body: {}, taken: () => ok, blank: () => ok },
    {
      name: 'limit',
      takes: { '1 to 500': [1, 500] },
      refuses: { 'a value out of range': [10002, 0, -1, 501], 'a value that is not an int32': [10002, ...notInteger] },
    },
  ),
  ...fieldRows(
    { path, token: deviceTokens.platform, body: {}, taken: () => ok, blank: () => ok },
    {
      name: 'installation',
      takes: { 'true and false': [true, false] },
      refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
    },
  ),
  rule(
    path,
    'entries of the installation require the platform scope: 10010',
    [],
    { path, ...certificateApp, body: { installation: true } },
    refused(10010),
  ),
];

const pageRows: readonly Row[] = [
  rule(
    path,
    'returns the latest entry first',
    [createAppCall('audit-order'), save('audit-order'), save('audit-order', { environment: 0 }), read('audit-order')],
    list('audit-order'),
    {
      ...entries(
        [READ, { provider: 8, environment: 1 }],
        [SAVE, { provider: 8, environment: 0 }],
        [SAVE, { provider: 8, environment: 1 }],
      ),
      data: { next: null },
    },
  ),
  rule(
    path,
    'a page has at most limit entries and returns the cursor of the next page',
    [createAppCall('audit-page'), save('audit-page'), save('audit-page', { environment: 0 }), read('audit-page')],
    list('audit-page', { limit: 2 }),
    {
      ...entries([READ, { provider: 8, environment: 1 }], [SAVE, { provider: 8, environment: 0 }]),
      data: { next: /^\d+$/ },
    },
  ),
  rule(
    path,
    'the next page continues at the cursor, and the last page has no cursor',
    [
      createAppCall('audit-next'),
      save('audit-next'),
      save('audit-next', { environment: 0 }),
      read('audit-next'),
      list('audit-next', { limit: 2 }),
    ],
    list('audit-next', { limit: 2, after: fromResponse(4, 'next') }),
    { ...entries([SAVE, { provider: 8, environment: 1 }]), data: { next: null } },
  ),
  rule(
    path,
    'a page that contains all entries has no cursor',
    [createAppCall('audit-last'), save('audit-last'), save('audit-last')],
    list('audit-last', { limit: 2 }),
    { code: 200, data: { next: null } },
  ),
  rule(
    path,
    'returns an empty list for an app without recorded calls',
    [createAppCall('audit-none')],
    list('audit-none'),
    {
      code: 200,
      rows: [],
      data: { next: null },
    },
  ),
  rule(
    path,
    'starts with the latest entry if the body is omitted',
    [createAppCall('audit-nobody'), save('audit-nobody')],
    inApp('audit-nobody', path),
    entries([SAVE, { provider: 8, environment: 1 }]),
  ),
];

const tag = (app: string, push_token: unknown): Call => inApp(app, '/device/tag', { push_token, add: ['news'] });

const recordRows: readonly Row[] = [
  rule(
    path,
    'returns the time, token, operation, detail and address of an entry',
    [
      createAppCall('audit-entry'),
      inApp('audit-entry', '/admin/token/create', { name: 'a colleague', scopes: ['*'] }),
      { app: 'audit-entry', path: SAVE, token: fromResponse(1, 'token'), body: honor },
    ],
    list('audit-entry', { limit: 1 }),
    {
      code: 200,
      rows: [
        {
          at: /^\d{13}$/,
          token_id: fromResponse(1, 'token_id'),
          token_name: 'a colleague',
          operation: SAVE,
          detail: '{"provider":8,"environment":1}',
          address: '127.0.0.1',
        },
      ],
    },
  ),
  rule(
    path,
    'returns the name of a token that has been revoked',
    [
      createAppCall('audit-revoked'),
      inApp('audit-revoked', '/admin/token/create', { name: 'a colleague', scopes: ['manage'] }),
      {
        app: 'audit-revoked',
        path: '/admin/token/revoke',
        token: fromResponse(1, 'token'),
        body: { token_id: fromResponse(1, 'token_id') },
      },
    ],
    list('audit-revoked', { limit: 1 }),
    { code: 200, rows: [{ operation: '/admin/token/revoke', token_name: 'a colleague' }] },
  ),
  rule(
    path,
    'records every change to the app, its admin tokens and its credentials without secrets',
    [
      createAppCall('audit-changes'),
      inApp('audit-changes', '/admin/app/update', { token_days: 5, registration: true }),
      inApp('audit-changes', '/admin/token/create', { name: 'backend', scopes: ['push'], days: 2 }),
      inApp('audit-changes', '/admin/token/revoke', { token_id: INT64_MAX }),
      save('audit-changes', { provider: 3, certificate: '{"package_names":["hidden"]}', per_second: 900 }),
      inApp('audit-changes', '/admin/certificate/delete', { provider: 3 }),
    ],
    list('audit-changes'),
    {
      ...saying(/^(?!.*(client-secret|client-id|hidden|ca_))/),
      rows: [
        { operation: '/admin/certificate/delete', detail: '{"provider":3,"environment":1}' },
        { operation: SAVE, detail: '{"provider":3,"environment":1,"per_second":900}' },
        { operation: '/admin/token/revoke', detail: '{"token_id":9223372036854775807}' },
        {
          operation: '/admin/token/create',
          detail: /^\{"name":"backend","scopes":\["push"\],"days":2,"token_id":\d+\}$/,
          result_of: /^\d+$/,
        },
        {
          operation: '/admin/token/create',
          detail: '{"name":"backend","scopes":["push"],"days":2}',
          result_of: null,
        },
        { operation: '/admin/app/update', detail: '{"token_days":5,"registration":true}' },
      ],
    },
  ),
  rule(
    path,
    'records every change to a device by an admin, without the vendor token',
    [
      createAppCall('audit-devices'),
      addUser(1, adminOf('audit-devices')),
      logIn(1, 'phone', adminOf('audit-devices')),
      ...(
        [
          ['/device/bind', { provider: 3, token: 'hidden' }],
          ['/device/unbind', { provider: 3 }],
          ['/device/tag', { add: ['news'] }],
          ['/device/alias', { alias: 'ada' }],
          ['/device/badge', { badge: 3 }],
          ['/device/state', { client: 'hidden', notifications: 'denied' }],
        ] as const
      ).map(([operation, body]) =>
        inApp('audit-devices', operation, { push_token: fromResponse(2, 'push_token'), ...body }),
      ),
      inApp('audit-devices', '/admin/device/logout', { push_token: fromResponse(2, 'push_token') }),
      inApp('audit-devices', '/admin/device/delete', { device_guid: 'phone' }),
    ],
    list('audit-devices'),
    {
      ...saying(/^(?!.*hidden)/),
      rows: [
        { operation: '/admin/device/delete', detail: '{"device_guid":"phone"}' },
        { operation: '/admin/device/logout', detail: /^\{"push_token":"p\w+"\}$/ },
        { operation: '/device/state', detail: /^\{"push_token":"p\w+"\}$/ },
        { operation: '/device/badge', detail: /^\{"push_token":"p\w+","badge":3\}$/ },
        { operation: '/device/alias', detail: /^\{"push_token":"p\w+","alias":"ada"\}$/ },
        { operation: '/device/tag', detail: /^\{"push_token":"p\w+"\}$/ },
        { operation: '/device/unbind', detail: /^\{"push_token":"p\w+","provider":3\}$/ },
        { operation: '/device/bind', detail: /^\{"push_token":"p\w+","provider":3,"environment":1\}$/ },
        { operation: '/admin/user/token' },
        { operation: '/admin/user/create' },
      ],
    },
  ),
  rule(
    path,
    'does not record calls with user tokens',
    [
      createAppCall('audit-user'),
      addUser(1, adminOf('audit-user')),
      logIn(1, 'phone', adminOf('audit-user')),
      { app: 'audit-user', path: '/device/tag', token: fromResponse(2, 'token'), body: { add: ['news'] } },
      { app: 'audit-user', method: 'GET', path: READ, query: 'provider=8', token: fromResponse(2, 'token') },
    ],
    list('audit-user'),
    { code: 200, rows: [{ operation: '/admin/user/token' }, { operation: '/admin/user/create' }] },
  ),
  rule(
    path,
    'does not record reads of data that is not secret',
    [
      createAppCall('audit-looks'),
      ...[
        '/admin/app/get',
        '/admin/token/list',
        '/admin/certificate/list',
        '/admin/user/list',
        '/admin/group/list',
        path,
      ].map((operation) => inApp('audit-looks', operation, {})),
      inApp('audit-looks', '/admin/device/find', { user_id: 1 }),
      inApp('audit-looks', '/push/task/detail', { list: [1] }),
    ],
    list('audit-looks'),
    { code: 200, rows: [] },
  ),
  rule(
    path,
    'records a call before it is processed, so that failed calls are included',
    [createAppCall('audit-failed'), read('audit-failed'), tag('audit-failed', 'nobodys')],
    list('audit-failed'),
    entries(['/device/tag', { push_token: 'nobodys' }], [READ, { provider: 8, environment: 1 }]),
  ),
  rule(
    path,
    'does not record a call that is rejected for its format or its scope',
    [
      createAppCall('audit-form'),
      save('audit-form', { provider: 100 }),
      read('audit-form', 100),
      inApp('audit-form', '/admin/app/create', { new_app_id: 'x', name: 'x' }),
    ],
    list('audit-form'),
    { code: 200, rows: [] },
  ),
  rule(
    path,
    'does not record a call that is rejected for its scope, even if users can make the same call',
    [
      createAppCall('audit-scope'),
      inApp('audit-scope', '/admin/token/create', { name: 'notifies', scopes: ['push'] }),
      inApp('audit-scope', '/admin/token/create', { name: 'reads', scopes: ['secrets'] }),
      inApp('audit-scope', '/admin/group/create', { group_id: 1, name: 'choir' }),
      { ...read('audit-scope'), token: fromResponse(1, 'token') },
      ...['bind', 'unbind', 'tag', 'alias', 'badge', 'state'].map((what) =>
        inApp(
          'audit-scope',
          `/device/${what}`,
          { push_token: 'nobodys', provider: 3, token: 'x' },
          { token: fromResponse(1, 'token') },
        ),
      ),
      { ...tag('audit-scope', 'nobodys'), headers: { group_id: '1' } },
      inApp('audit-scope', '/push/task/cancel', { task_id: 1 }, { token: fromResponse(2, 'token') }),
    ],
    list('audit-scope'),
    {
      code: 200,
      rows: [
        { operation: '/admin/group/create' },
        { operation: '/admin/token/create', result_of: /^\d+$/ },
        { operation: '/admin/token/create', result_of: null },
        { operation: '/admin/token/create', result_of: /^\d+$/ },
        { operation: '/admin/token/create', result_of: null },
      ],
    },
  ),
  rule(
    path,
    'does not return entries of other apps',
    [createAppCall('audit-own'), { path: SAVE, ...certificateApp, body: honor }],
    list('audit-own'),
    { code: 200, rows: [] },
  ),
  rule(
    path,
    "records the creation of an app in the audit log of the calling token's app",
    [createAppCall('audit-made')],
    { path, body: { limit: 500 } },
    saying(
      /"token_name":"operator","operator_id":null,"operator_name":null,"operation":"\/admin\/app\/create","detail":"\{\\"new_app_id\\":\\"audit-made\\"\}"/,
    ),
  ),
  rules(path, 'records a call on behalf of a user under the admin token', [
    {
      before: [
        createAppCall('audit-behalf'),
        addUser(1, adminOf('audit-behalf')),
        { ...save('audit-behalf'), headers: { user_id: '1' } },
      ],
      call: list('audit-behalf', { limit: 1 }),
      expect: { code: 200, rows: [{ operation: SAVE, token_name: 'first admin' }] },
    },
  ]),
  rule(path, 'ignores unknown fields', [createAppCall('audit-fields')], list('audit-fields', { colour: 'red' }), ok),
  rule(
    path,
    'escapes special characters in names in the detail field',
    [createAppCall('audit-text'), inApp('audit-text', '/admin/token/create', { name: '"},{\\', scopes: ['push'] })],
    list('audit-text'),
    {
      code: 200,
      rows: [
        { operation: '/admin/token/create', detail: /^\{"name":"\\"\},\{\\\\","scopes":\["push"\],/ },
        { operation: '/admin/token/create', detail: '{"name":"\\"},{\\\\","scopes":["push"]}' },
      ],
    },
  ),
];

export const adminAuditGroup: readonly Row[] = [
  ...fieldsRows,
  ...adminCallerRows({ path, body: { limit: 1 } }, 'manage'),
  ...pageRows,
  ...recordRows,
];
