import { adminCallerRows } from './admin-scopes.ts';
import { saying } from './device-calls.ts';
import { createAppCall, deviceTokens, inApp } from './fixture-devices.ts';
import { apps, groups, tokens } from './fixtures.ts';
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
  notText,
  ok,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

const CREATE = '/admin/token/create';
const LIST = '/admin/token/list';
const REVOKE = '/admin/token/revoke';

const good = { name: 'shop backend', scopes: ['push'] };
const create = (body: object = {}, token: string = tokens.admin): Call => ({
  path: CREATE,
  token,
  body: { ...good, ...body },
});
const fields = { path: CREATE, body: good, taken: () => ok };
const items = `${CREATE} body.scopes[]`;

const createFields: readonly Row[] = [
  ...bodyRows([], create()),
  ...fieldRows(fields, {
    name: 'name',
    takes: { 'up to 128 characters': ['x', 'é'.repeat(128), ' 后端 '] },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'NUL characters and unpaired surrogates': [10002, 'x\0', 'x\ud83d'],
      'more than 128 characters': [12009, 'x'.repeat(129)],
    },
  }),
  ...fieldRows(fields, {
    name: 'scopes',
    takes: { 'a list of scopes': [['push'], ['push', 'secrets', 'manage'], ['*'], ['*', 'push', 'push', 'push', '*']] },
    refuses: {
      'a value that is not a list': [10002, 1, true, 'push', { push: true }],
      'more than five items': [12005, new Array(6).fill('push')],
    },
  }),
  {
    rule: `${items} accepts each scope that the calling token has`,
    path: items,
    kind: 'legal',
    cases: ['push', 'secrets', 'manage', '*', 'platform'].map((scope) => ({
      call: create({ scopes: [scope] }, deviceTokens.platform),
      expect: ok,
    })),
  },
  {
    rule: `${items} rejects blank items and unknown scopes: 10002`,
    path: items,
    kind: 'illegal',
    cases: ['all', 'Push', 'push ', '', '  ', null, 1, true, ['push'], { a: 'push' }].map((scope) => ({
      call: create({ scopes: ['push', scope] }),
      expect: refused(10002),
    })),
  },
  ...fieldRows(
    {
      ...fields,
      taken: (_name, days) => ({ code: 200, tokenDays: days as number }),
      blank: () => ({ code: 200, data: { expire: null } }),
    },
    {
      name: 'days',
      takes: { '1 to 3,650': [1, 365, 3_650] },
      refuses: {
        'a value out of range': [10002, 0, -1, 3_651],
        'a value that is not an int32': [10002, ...notInteger],
      },
    },
  ),
  ...fieldRows(
    { ...fields, blank: () => ok },
    {
      name: 'group_id',
      takes: { 'the ID of a group': [groups.choir, groups.last] },
      refuses: {
        'an ID that no group has': [20001, 0, -1, INT64_MIN],
        'a value that is not an int64': [10002, ...notInt64],
      },
    },
  ),
];

/** Creates a token with the admin token of the row's own app. The second response contains the new token. */
const make = (app: string, body: object = {}): Call => inApp(app, CREATE, { ...good, ...body });
const by = (app: string, path: string, body?: object, n = 1): Call => ({
  app,
  path,
  token: fromResponse(n, 'token'),
  ...(body && { body }),
});
const hello = { audience: 'all', message: { body: 'hello' } };
const gives = (scopes: readonly string[], maker: string, expect: Expect) => ({
  call: create({ scopes }, maker),
  expect,
});
const beyond = refused(10010, /does not have the scope/);

const createRules: readonly Row[] = [
  rule(CREATE, 'returns an ID and the token and forbids caching', [], create(), {
    code: 200,
    data: { token_id: /^[1-9]\d*$/, token: /^ca_[0-9A-Za-z]{40,}$/, expire: null },
    headers: { 'cache-control': /^no-store$/ },
  }),
  rule(
    CREATE,
    'the token is accepted for operations within its scopes',
    [createAppCall('token-may'), make('token-may')],
    by('token-may', '/push/notify', hello),
    ok,
  ),
  rules(
    CREATE,
    'the token is rejected for operations outside its scopes: 10010',
    (
      [
        [['push'], '/admin/app/get'],
        [['push', 'secrets'], CREATE],
        [['manage'], '/push/notify'],
        [['*'], '/admin/app/list'],
      ] as const
    ).map(([scopes, path], i) => ({
      before: [createAppCall(`token-not-${i}`), make(`token-not-${i}`, { scopes })],
      call: by(`token-not-${i}`, path, path === CREATE ? good : hello),
      expect: refused(10010),
    })),
  ),
  rules(CREATE, 'rejects scopes that the calling token does not have: 10010', [
    gives(['push'], tokens.manage, beyond),
    gives(['secrets'], tokens.manage, beyond),
    gives(['*'], tokens.manage, beyond),
    gives(['platform'], tokens.manage, beyond),
    gives(['manage', 'push'], tokens.manage, beyond),
    gives(['platform'], tokens.admin, beyond),
    gives(['*', 'platform'], tokens.admin, beyond),
  ]),
  rule(
    CREATE,
    'the push, secrets and manage scopes together do not include *: 10010',
    [createAppCall('token-three'), make('token-three', { scopes: ['push', 'secrets', 'manage'] })],
    by('token-three', CREATE, { name: 'more', scopes: ['*'] }),
    beyond,
  ),
  rule(
    CREATE,
    'a token expires no later than the token that created it',
    [
      createAppCall('token-heirs'),
      make('token-heirs', { scopes: ['manage'], days: 1 }),
      by('token-heirs', CREATE, { name: 'heir', scopes: ['manage'] }),
      by('token-heirs', CREATE, { name: 'heir', scopes: ['manage'], days: 3_650 }),
    ],
    inApp('token-heirs', LIST),
    {
      code: 200,
      rows: [
        { name: 'first admin', expire: null },
        { expire: fromResponse(1, 'expire') },
        { name: 'heir', expire: fromResponse(1, 'expire') },
        { name: 'heir', expire: fromResponse(1, 'expire') },
      ],
    },
  ),
  rules(CREATE, 'grants scopes that the calling token has', [
    gives(['manage'], tokens.manage, ok),
    gives(['push', 'secrets', 'manage'], tokens.admin, ok),
    gives(['*', 'platform'], deviceTokens.platform, ok),
  ]),
  rule(
    CREATE,
    'a rejected request creates no token',
    [createAppCall('token-refused'), make('token-refused', { scopes: ['platform'] })],
    inApp('token-refused', LIST),
    { code: 200, rows: [{ name: 'first admin' }] },
  ),
  rule(
    CREATE,
    'stores duplicate scopes once and accepts a name that is already in use',
    [
      createAppCall('token-twice'),
      make('token-twice', { scopes: ['push', 'push', 'secrets'] }),
      make('token-twice', { days: 1 }),
    ],
    inApp('token-twice', LIST),
    {
      code: 200,
      rows: [
        { name: 'first admin' },
        { name: 'shop backend', scopes: ['push', 'secrets'], expire: null },
        { name: 'shop backend', scopes: ['push'], expire: /^\d{13}$/ },
      ],
    },
  ),
  rule(
    CREATE,
    'the token is rejected in other apps: 10008',
    [createAppCall('token-app'), make('token-app')],
    { ...by('token-app', '/push/notify', hello), app: apps.bells },
    refused(10008),
  ),
  rule(CREATE, 'ignores unknown fields', [], create({ app_id: apps.other, token: 'ca_mine', expire: 5 }), {
    code: 200,
    data: { token: /^ca_(?!mine)/, expire: null },
  }),
];

const listRules: readonly Row[] = [
  ...adminCallerRows({ path: LIST }, 'manage', saying(/"name":"cast"/)),
  rule(
    LIST,
    'returns the tokens in the order of their creation, without their values',
    [createAppCall('token-order'), make('token-order', { name: 'b' }), make('token-order', { name: 'a' })],
    inApp('token-order', LIST),
    {
      ...saying(/^(?!.*(ca_|token_hash|"token":))/),
      rows: [
        { name: 'first admin', scopes: ['*'], expire: null, created_at: /^\d{13}$/ },
        { name: 'b', token_id: fromResponse(1, 'token_id') },
        { name: 'a', token_id: fromResponse(2, 'token_id') },
      ],
    },
  ),
  rule(
    LIST,
    'does not return revoked tokens',
    [
      createAppCall('token-gone'),
      make('token-gone', { name: 'gone' }),
      inApp('token-gone', REVOKE, { token_id: fromResponse(1, 'token_id') }),
    ],
    inApp('token-gone', LIST),
    { code: 200, rows: [{ name: 'first admin' }] },
  ),
];

const revoke = (token_id: unknown): Call => ({ path: REVOKE, token: tokens.admin, body: { token_id } });
const unknown = refused(10002, /no admin token/);

const revokeRules: readonly Row[] = [
  ...bodyRows([create()], revoke(fromResponse(0, 'token_id'))),
  ...fieldRows(
    { path: REVOKE, body: {}, before: [create()], taken: () => ok },
    {
      name: 'token_id',
      takes: { 'the ID of a token of this app': [fromResponse(0, 'token_id')] },
      refuses: {
        'an ID that no token has': [10002, 0, -1, INT64_MAX, INT64_MIN, 9_007_199_254_740_993n],
        'a value that is not an int64': [10002, ...notInt64],
      },
    },
  ),
  ...fieldRows(
    {
      path: REVOKE,
      body: { token_id: fromResponse(0, 'token_id') },
      before: [create()],
      taken: () => ok,
      blank: () => ok,
    },
    {
      name: 'keep_user_tokens',
      takes: { 'true and false': [true, false] },
      refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
    },
  ),
  rule(
    REVOKE,
    'a token with a scope that the caller does not have is not revoked: 10010',
    [create()],
    { path: REVOKE, token: tokens.manage, body: { token_id: fromResponse(0, 'token_id') } },
    refused(10010, /does not have the scope `push`/),
  ),
  // The token does not exist, so permitted callers receive the error for an unknown token.
  ...adminCallerRows({ path: REVOKE, body: { token_id: INT64_MAX } }, 'manage', unknown),
  rule(
    REVOKE,
    'a revoked token is rejected: 10008',
    [
      createAppCall('revoke-token'),
      make('revoke-token'),
      by('revoke-token', '/push/notify', hello),
      inApp('revoke-token', REVOKE, { token_id: fromResponse(1, 'token_id') }),
    ],
    by('revoke-token', '/push/notify', hello),
    refused(10008),
  ),
  rule(
    REVOKE,
    'other tokens stay valid',
    [
      createAppCall('revoke-other'),
      make('revoke-other'),
      make('revoke-other'),
      inApp('revoke-other', REVOKE, { token_id: fromResponse(1, 'token_id') }),
    ],
    by('revoke-other', '/push/notify', hello, 2),
    ok,
  ),
  rule(
    REVOKE,
    'a token can revoke itself',
    [createAppCall('revoke-self'), make('revoke-self', { scopes: ['manage'] })],
    by('revoke-self', REVOKE, { token_id: fromResponse(1, 'token_id') }),
    ok,
  ),
  rule(
    REVOKE,
    'a token that revoked itself is rejected: 10008',
    [
      createAppCall('revoke-ended'),
      make('revoke-ended', { scopes: ['manage'] }),
      by('revoke-ended', REVOKE, { token_id: fromResponse(1, 'token_id') }),
    ],
    by('revoke-ended', '/admin/app/get'),
    refused(10008),
  ),
  rule(
    REVOKE,
    'can be repeated',
    [
      createAppCall('revoke-twice'),
      make('revoke-twice'),
      inApp('revoke-twice', REVOKE, { token_id: fromResponse(1, 'token_id') }),
    ],
    inApp('revoke-twice', REVOKE, { token_id: fromResponse(1, 'token_id') }),
    ok,
  ),
  rule(
    REVOKE,
    'does not find a token of another app: 10002',
    [createAppCall('revoke-foreign'), make('revoke-foreign')],
    revoke(fromResponse(1, 'token_id')),
    unknown,
  ),
  rule(
    REVOKE,
    'leaves a token of another app valid',
    [createAppCall('revoke-kept'), make('revoke-kept'), revoke(fromResponse(1, 'token_id'))],
    by('revoke-kept', '/push/notify', hello),
    ok,
  ),
];

export const adminTokenGroup: readonly Row[] = [
  ...createFields,
  // Permitted callers are rejected too, because none of them has the `platform` scope that the request grants.
  ...adminCallerRows(create({ scopes: ['platform'] }), 'manage', beyond),
  ...createRules,
  ...listRules,
  ...revokeRules,
];
