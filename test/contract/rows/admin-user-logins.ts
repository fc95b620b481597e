import { tokens, users } from './fixtures.ts';
import { absent, type Call, type Expect, fieldRows, fromResponse, ok, type Row, refused } from './row.ts';
import {
  bodyRows,
  createdUserId,
  createUser,
  deviceGuid,
  findUser,
  idRows,
  logInCreatedUser,
  manage,
  newPassword,
  rule,
  rules,
  use,
} from './user-calls.ts';

/** Operations that start or end the logins of a user: create a token, set the password, kick, disable and enable. */

const PASSWORD = '/admin/user/password';
const KICK = '/admin/user/kick';
const DISABLE = '/admin/user/disable';
const ENABLE = '/admin/user/enable';
const TOKEN = '/admin/user/token';

const nothing: Expect = { code: 200, text: /^\{"code":200,"data":\{\},"message":null\}$/ };
const token = (n: number) => fromResponse(n, 'token');
const on = (path: string, body: object = {}): Call => manage(path, { user_id: createdUserId, ...body });
const byPassword = (password: string): Call => ({
  path: '/token/id',
  token: null,
  body: { user_id: createdUserId, password },
});
const disabled = (is: boolean): Expect => ({ code: 200, data: { disabled: is } });

/** Rows that all operations on one user have in common. */
const rowsForUser = (path: string, expect: Expect): readonly Row[] => [
  ...bodyRows([createUser()], on(path), expect),
  ...idRows(
    { path, token: tokens.manage, before: [createUser()], body: { user_id: createdUserId }, taken: () => expect },
    'user_id',
  ),
  rule(
    path,
    'does not round a large ID: 10000',
    [],
    manage(path, { user_id: 9_223_372_036_854_775_805n }),
    refused(10000),
  ),
  rule(path, 'ignores unknown fields', [createUser()], on(path, { colour: 'red', list: [7] }), expect),
  rule(path, 'does not find a deleted user: 10000', [createUser(), on('/admin/user/delete')], on(path), refused(10000)),
];

/** Creates a user who is logged in without a device and on a device. The device has a tag, an alias and a binding. */
const loggedIn = (guid: string): readonly Call[] => [
  createUser({ password: 'old password' }),
  logInCreatedUser(),
  logInCreatedUser({ device_guid: guid }),
  { path: '/device/tag', token: token(2), body: { add: ['news'] } },
  { path: '/device/alias', token: token(2), body: { alias: `alias-${guid}` } },
  { path: '/device/bind', token: token(2), body: { provider: 3, token: `vendor-${guid}` } },
];

/** Rows for the three operations that end every login of a user. */
function endsLogins(path: string, body: object): readonly Row[] {
  const guid = `ends${path.replaceAll('/', '-')}`;
  const findDevice = (call: object) => manage('/admin/device/find', call);
  return [
    rule(path, 'returns no data', [createUser()], on(path, body), nothing),
    rules(path, 'every access token of the user is rejected afterwards: 10008', [
      { before: [...loggedIn(guid), on(path, body)], call: use(token(1)), expect: refused(10008) },
      { before: [...loggedIn(guid), on(path, body)], call: use(token(2)), expect: refused(10008) },
    ]),
    rule(
      path,
      'the device has no user, alias, tags or bindings afterwards',
      [...loggedIn(`${guid}-2`), on(path, body)],
      findDevice({ device_guid: `${guid}-2` }),
      { code: 200, rows: [{ user_id: null, alias: null, tags: [], bindings: [] }] },
    ),
    rule(
      path,
      'the push token is not found afterwards',
      [...loggedIn(`${guid}-3`), on(path, body)],
      findDevice({ push_token: fromResponse(2, 'push_token') }),
      { code: 200, rows: [] },
    ),
    rule(path, 'can be repeated', [createUser(), on(path, body)], on(path, body), nothing),
    rule(
      path,
      'does not log out other users',
      [...loggedIn(`${guid}-4`), on(path, body)],
      { path: '/device/list', token: tokens.ann },
      ok,
    ),
    rule(
      path,
      'leaves a device unchanged if another user has logged in on it since',
      [
        ...loggedIn(`${guid}-5`),
        createUser(),
        manage(TOKEN, { user_id: fromResponse(6, 'user_id'), device_guid: `${guid}-5` }),
        on(path, body),
      ],
      use(token(7)),
      { code: 200, text: new RegExp(`"device_guid":"${guid}-5"`) },
    ),
    rule(
      path,
      'a request without permission changes nothing',
      [
        ...loggedIn(`${guid}-6`),
        ...[tokens.push, tokens.secrets, tokens.scopeless, tokens.ann, tokens.otherAdmin].map((one) => ({
          ...on(path, body),
          token: one,
        })),
        { ...on(path, body), headers: { group_id: '3' } },
        { ...on(path, body), token: token(1) },
      ],
      use(token(1)),
      ok,
    ),
  ];
}

const password: readonly Row[] = [
  ...rowsForUser(PASSWORD, nothing),
  ...fieldRows(
    {
      path: PASSWORD,
      token: tokens.manage,
      before: [createUser()],
      body: { user_id: createdUserId },
      taken: () => nothing,
      blank: () => nothing,
      blankForms: [absent, null, ''],
    },
    newPassword,
  ),
  ...endsLogins(PASSWORD, { password: 'new password' }),
  rule(
    PASSWORD,
    'the user can log in with the new password',
    [createUser(), on(PASSWORD, { password: 'new password' })],
    byPassword('new password'),
    ok,
  ),
  rule(
    PASSWORD,
    'the user cannot log in with the old password: 10013',
    [createUser({ password: 'old password' }), on(PASSWORD, { password: 'new password' })],
    byPassword('old password'),
    refused(10013),
  ),
  rules(PASSWORD, 'a blank password removes the password', [
    {
      before: [createUser({ password: 'old password' }), on(PASSWORD, { password: '' })],
      call: findUser({ user_id: createdUserId }),
      expect: { code: 200, data: { has_password: false } },
    },
    ...['old password', ' '].map((one) => ({
      before: [createUser({ password: 'old password' }), on(PASSWORD)],
      call: byPassword(one),
      expect: refused(10013),
    })),
  ]),
  rule(
    PASSWORD,
    '/admin/user/token returns a token for a user without a password',
    [createUser({ password: 'old password' }), on(PASSWORD)],
    on(TOKEN),
    { code: 200, data: { user_id: createdUserId } },
  ),
  rule(
    PASSWORD,
    'accepts a password that consists only of spaces',
    [createUser(), on(PASSWORD, { password: '        ' })],
    byPassword('        '),
    ok,
  ),
  rule(
    PASSWORD,
    'keeps leading and trailing spaces in a password',
    [createUser(), on(PASSWORD, { password: ' new password ' })],
    byPassword('new password'),
    refused(10013),
  ),
  rule(
    PASSWORD,
    'a rejected password changes nothing and does not log the user out',
    [createUser({ password: 'old password' }), logInCreatedUser(), on(PASSWORD, { password: 'short' })],
    use(token(1)),
    ok,
  ),
  rule(
    PASSWORD,
    'a disabled user stays disabled after a password change',
    [createUser(), on(DISABLE), on(PASSWORD, { password: 'new password' })],
    byPassword('new password'),
    refused(10013),
  ),
];

const kick: readonly Row[] = [
  ...rowsForUser(KICK, nothing),
  ...endsLogins(KICK, {}),
  rule(
    KICK,
    'a kicked user can log in again',
    [createUser({ password: 'old password' }), on(KICK)],
    byPassword('old password'),
    ok,
  ),
  rule(
    KICK,
    'a later login stays valid, even on the same device',
    [createUser(), logInCreatedUser({ device_guid: 'kicked' }), on(KICK), logInCreatedUser({ device_guid: 'kicked' })],
    use(token(3)),
    { code: 200, text: /"device_guid":"kicked"/ },
  ),
  rule(
    KICK,
    'a disabled user can be kicked and stays disabled',
    [createUser(), on(DISABLE), on(KICK)],
    findUser({ user_id: createdUserId }),
    disabled(true),
  ),
];

const disableAndEnableRows: readonly Row[] = [
  ...rowsForUser(DISABLE, nothing),
  ...endsLogins(DISABLE, {}),
  rule(
    DISABLE,
    'a disabled user receives the same error as for a wrong password: 10013',
    [createUser({ password: 'old password' }), on(DISABLE)],
    byPassword('old password'),
    refused(10013, /^The login name or the password is wrong\.$/),
  ),
  rule(
    DISABLE,
    '/admin/user/find returns the user as disabled',
    [createUser(), on(DISABLE)],
    findUser({ user_id: createdUserId }),
    disabled(true),
  ),
  rule(
    DISABLE,
    'an admin cannot act for a disabled user: 10000',
    [createUser({ user_id: 32_001 }), manage(DISABLE, { user_id: 32_001 })],
    manage('/admin/user/list', { limit: 1 }, { headers: { user_id: '32001' } }),
    refused(10000),
  ),
  rule(
    DISABLE,
    'the names of a disabled user stay reserved: 10004',
    [createUser({ name: 'shut-out-owner' }), on(DISABLE)],
    createUser({ name: 'shut-out-owner' }),
    refused(10004),
  ),
  ...rowsForUser(ENABLE, nothing),
  rule(
    ENABLE,
    'an enabled user can log in again with the same password',
    [createUser({ password: 'old password' }), on(DISABLE), on(ENABLE)],
    byPassword('old password'),
    ok,
  ),
  rule(
    ENABLE,
    '/admin/user/token returns a token for an enabled user',
    [createUser(), on(DISABLE), on(ENABLE)],
    on(TOKEN),
    ok,
  ),
  rule(
    ENABLE,
    '/admin/user/find returns the user as enabled',
    [createUser(), on(DISABLE), on(ENABLE)],
    findUser({ user_id: createdUserId }),
    disabled(false),
  ),
  rule(
    ENABLE,
    'access tokens that were revoked when the user was disabled stay invalid: 10008',
    [createUser(), logInCreatedUser(), on(DISABLE), on(ENABLE)],
    use(token(1)),
    refused(10008),
  ),
  rule(
    ENABLE,
    'a user who is not disabled stays logged in',
    [createUser(), logInCreatedUser(), on(ENABLE)],
    use(token(1)),
    ok,
  ),
  rule(ENABLE, 'can be repeated', [createUser(), on(DISABLE), on(ENABLE)], on(ENABLE), nothing),
  rule(
    ENABLE,
    'a request without permission changes nothing',
    [
      createUser({ password: 'old password' }),
      on(DISABLE),
      ...[tokens.push, tokens.scopeless, tokens.ann].map((one) => ({ ...on(ENABLE), token: one })),
    ],
    byPassword('old password'),
    refused(10013),
  ),
];

const tokenRows: readonly Row[] = [
  ...rowsForUser(TOKEN, { code: 200, data: { token: /^cu_/ } }),
  ...fieldRows(
    {
      path: TOKEN,
      token: tokens.manage,
      before: [createUser()],
      body: { user_id: createdUserId },
      taken: () => ({ code: 200, data: { user_id: createdUserId, push_token: /^p[0-9a-f]{3}[0-9A-Za-z]{16,64}$/ } }),
      blank: () => ({ code: 200, data: { user_id: createdUserId }, dataWithout: ['push_token'] }),
    },
    deviceGuid,
  ),
  rule(TOKEN, 'returns the token record of a login', [createUser()], on(TOKEN, { device_guid: 'token-record' }), {
    code: 200,
    data: {
      access_key_secret: /^[0-9A-Za-z]{43}$/,
      encrypt_type: 0,
      public_key: /^-----BEGIN PUBLIC KEY-----\n/,
      push_token: /^p[0-9a-f]{3}/,
      store_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
      token: /^cu_[0-9a-f]{3}[0-9A-Za-z]{49}$/,
      user_id: createdUserId,
    },
    tokenDays: 90,
  }),
  rule(
    TOKEN,
    'returns a user token, which is not accepted as an admin token: 10010',
    [createUser(), on(TOKEN)],
    { ...on(TOKEN), token: token(1) },
    refused(10010),
  ),
  rule(TOKEN, 'the token is valid', [createUser(), on(TOKEN)], use(token(1)), ok),
  rule(TOKEN, 'returns a token for a user with a password', [], manage(TOKEN, { user_id: users.last.userId }), {
    code: 200,
    text: /"user_id":9223372036854775807[,}]/,
  }),
  rule(
    TOKEN,
    'the same user keeps the push token on the same device',
    [createUser(), on(TOKEN, { device_guid: 'token-kept' })],
    on(TOKEN, { device_guid: 'token-kept' }),
    { code: 200, data: { push_token: fromResponse(1, 'push_token') } },
  ),
  rule(
    TOKEN,
    'does not end the login of another user on the device',
    [
      createUser(),
      on(TOKEN, { device_guid: 'token-taken' }),
      createUser(),
      manage(TOKEN, { user_id: fromResponse(2, 'user_id'), device_guid: 'token-taken' }),
    ],
    use(token(1)),
    ok,
  ),
  rule(TOKEN, 'rejects a disabled user: 10000', [createUser(), on(DISABLE)], on(TOKEN), refused(10000)),
  rule(
    TOKEN,
    'a rejected request registers no device',
    [createUser(), on(DISABLE), on(TOKEN, { device_guid: 'token-none' })],
    manage('/admin/device/find', { device_guid: 'token-none' }),
    { code: 200, rows: [] },
  ),
  rule(
    TOKEN,
    'the user_id header selects the user that the admin acts for, not the user who receives the token',
    [],
    manage(TOKEN, { user_id: users.bob.userId }, { headers: { user_id: '7' } }),
    { code: 200, data: { user_id: users.bob.userId } },
  ),
];

export const adminUserLoginGroup: readonly Row[] = [...password, ...kick, ...disableAndEnableRows, ...tokenRows];
