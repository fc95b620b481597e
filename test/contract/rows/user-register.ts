import { userAppAdmins, userApps } from './fixture-users.ts';
import { apps, tokens } from './fixtures.ts';
import { absent, blanks, type Call, type Expect, fieldRows, fromResponse, ok, type Row, refused } from './row.ts';
import {
  bodyRows,
  deviceGuid,
  findUser,
  freshEmail,
  freshName,
  manage,
  newPassword,
  refusedNames,
  rule as ruleOf,
  rules as rulesOf,
  typedNames,
  use,
} from './user-calls.ts';

const path = '/user/register';
const password = 'a good password';
const good = { name: freshName, email: freshEmail, password };
const register = (body: object, call: Partial<Call> = {}): Call => ({
  path,
  app: userApps.open,
  token: null,
  body: { password, ...body },
  ...call,
});
/** The app and the admin token for the calls that check the result. */
const look = { app: userApps.open, token: userAppAdmins.open };
const logIn = (body: object): Call => ({ path: '/token/login', app: userApps.open, token: null, body });
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect) =>
  ruleOf(path, sentence, before, call, expect);

const fields = { path, app: userApps.open, token: null, body: good, taken: () => ok };
const typed = typedNames(1);

const fieldGroup: readonly Row[] = [
  ...bodyRows([], register({ name: freshName })),
  ...(['name', 'mobile', 'email'] as const).flatMap((name) =>
    fieldRows(
      { ...fields, blank: () => ok },
      { name, takes: { 'many notations': typed[name].map(([text]) => text) }, refuses: refusedNames[name] },
    ),
  ),
  ...fieldRows({ ...fields, blankForms: [absent, null, ''] }, newPassword),
  ...fieldRows(
    {
      ...fields,
      taken: () => ({ code: 200, data: { push_token: /^p[0-9a-f]{3}[0-9A-Za-z]{16,64}$/ } }),
      blank: () => ({ code: 200, dataWithout: ['push_token'] }),
    },
    deviceGuid,
  ),
];

const permission: readonly Row[] = [
  rulesOf(path, 'an app without registration rejects every caller: 10010', [
    { call: register({ name: 'nobody-1' }, { app: apps.bells }), expect: refused(10010, /cannot register/) },
    { call: register({ name: 'nobody-1' }, { app: apps.bells, token: tokens.admin }), expect: refused(10010) },
    { call: register({}, { app: apps.bells }), expect: refused(10010) },
  ]),
  rule(
    'a rejected request creates no user',
    [register({ name: 'nobody-2' }, { app: apps.bells })],
    findUser({ name: 'nobody-2' }),
    refused(10000),
  ),
  rulesOf(
    path,
    'access-token, user_id and group_id are ignored, even if they are invalid',
    ['garbage', tokens.adminExpired, tokens.ann].map((token) => ({
      call: register({ name: freshName }, { token, headers: { user_id: 'nobody', group_id: '999' } }),
      expect: ok,
    })),
  ),
  rule('a missing app_id is rejected: 10002', [], register(good, { app: null }), refused(10002, /app_id/)),
  rulesOf(path, 'an unknown or disabled app is rejected: 40000', [
    { call: register(good, { app: 'nowhere' }), expect: refused(40000) },
    { call: register(good, { app: apps.disabled }), expect: refused(40000) },
  ]),
];

const outcomes: readonly Row[] = [
  rulesOf(path, 'a request that has no name, mobile or email is rejected: 10002', [
    ...blanks.map((blank) => ({
      call: register(blank === absent ? {} : { name: blank, mobile: blank, email: blank }),
      expect: refused(10002, /at least one of name, mobile and email/),
    })),
  ]),
  rule('returns the token record of a login', [], register({ name: freshName, device_guid: 'record' }), {
    code: 200,
    data: {
      access_key_secret: /^[0-9A-Za-z]{43}$/,
      encrypt_type: 0,
      public_key: /^-----BEGIN PUBLIC KEY-----\n/,
      push_token: /^p[0-9a-f]{3}/,
      store_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
      token: /^cu_[0-9a-f]{3}[0-9A-Za-z]{49}$/,
      user_id: /^[1-9]\d{5,15}$/,
    },
    tokenDays: 90,
  }),
  rule(
    'a registered user is logged in',
    [register({ name: freshName })],
    { ...use(fromResponse(0, 'token')), app: userApps.open },
    ok,
  ),
  rule(
    'the device in the registration request belongs to the user',
    [register({ name: freshName, device_guid: 'their-first-phone' })],
    manage('/admin/device/find', { device_guid: 'their-first-phone' }, look),
    { code: 200, rows: [{ push_token: fromResponse(0, 'push_token'), user_id: fromResponse(0, 'user_id'), tags: [] }] },
  ),
  rule(
    'login names are stored in normalized form',
    [register({ name: 'Ka\u0308the', mobile: '139-1111 0001', email: 'Kaethe@Example.COM' })],
    findUser({ user_id: fromResponse(0, 'user_id') }, look),
    {
      code: 200,
      data: {
        name: 'K\u00e4the',
        mobile: '+8613911110001',
        email: 'kaethe@example.com',
        has_password: true,
        disabled: false,
      },
    },
  ),
  rulesOf(
    path,
    'a registered user can log in with each login name and exactly the same password',
    ['Zo\u00eb', '139 1111 0002', 'ZOE@example.com'].map((login_name, i) => ({
      before: i === 0 ? [register({ name: 'Zoe\u0308', mobile: '13911110002', email: 'zoe@example.com' })] : [],
      call: logIn({ login_name, password }),
      expect: ok,
    })),
  ),
  rule(
    'a password that consists only of spaces is accepted',
    [register({ name: 'spacious-1', password: '        ' })],
    logIn({ login_name: 'spacious-1', password: '        ' }),
    ok,
  ),
  rule(
    'leading and trailing spaces of a password are kept',
    [register({ name: 'spacious', password: ' a pass word ' })],
    logIn({ login_name: 'spacious', password: 'a pass word' }),
    refused(10013),
  ),
  rule(
    'a mobile number without a country code is accepted as a number of the app’s country',
    [],
    register({ mobile: '0151 2345 6780' }, german()),
    ok,
  ),
  rule(
    'a number of the app’s country is stored with its country code',
    [register({ mobile: '0151 2345 6781' }, german())],
    findUser({ mobile: '+49 151 2345 6781' }, { app: userApps.german, token: userAppAdmins.german }),
    { code: 200, data: { user_id: fromResponse(0, 'user_id'), mobile: '+4915123456781', name: null, email: null } },
  ),
  rulesOf(path, 'user_id and unknown fields are ignored', [
    {
      before: [register({ name: freshName, user_id: 4_242, disabled: true, scopes: ['*'], password_hash: 'x' })],
      call: findUser({ user_id: fromResponse(0, 'user_id') }, look),
      expect: { code: 200, data: { disabled: false } },
    },
    { call: findUser({ user_id: 4_242 }, look), expect: refused(10000) },
  ]),
  rule('users of other apps do not cause conflicts', [], register({ name: 'ann', email: 'ann@example.com' }), ok),
];

function german(): Partial<Call> {
  return { app: userApps.german };
}

const first = register({ name: 'H\u00e9loise', mobile: '13911110003', email: 'heloise@example.com' });
/** Returns a row about a value that another user already has. */
const taken = (sentence: string, body: object, field: string): Row =>
  rule(
    `${sentence}: 10004`,
    [first],
    register({ ...body, device_guid: `refused-${field}` }),
    refused(10004, new RegExp(`this ${field}\\.$`)),
  );

const conflicts: readonly Row[] = [
  taken('a name that is in use is rejected in any Unicode form', { name: 'He\u0301loise' }, 'name'),
  taken(
    'a mobile number that is in use is rejected in any notation',
    { name: 'other-1', mobile: '+86 139 1111-0003' },
    'mobile',
  ),
  taken(
    'an email address that is in use is rejected regardless of case',
    { name: 'other-2', email: 'HELOISE@EXAMPLE.com' },
    'email',
  ),
  rulesOf(path, 'a rejected registration stores nothing', [
    {
      before: [first, register({ name: 'other-3', mobile: '13911110003', device_guid: 'left-over' })],
      call: findUser({ name: 'other-3' }, look),
      expect: refused(10000),
    },
    { call: manage('/admin/device/find', { device_guid: 'left-over' }, look), expect: { code: 200, rows: [] } },
    { call: logIn({ login_name: 'other-3', password }), expect: refused(10013) },
    { call: register({ name: 'other-3' }), expect: ok },
  ]),
  rule('returns the number of registrations that remain in the hour', [], register({ name: freshName }), {
    code: 200,
    headers: { 'ratelimit-limit': /^\d+$/, 'ratelimit-remaining': /^\d+$/, 'ratelimit-reset': /^\d+$/ },
  }),
];

export const userRegisterGroup: readonly Row[] = [...fieldGroup, ...permission, ...outcomes, ...conflicts];
