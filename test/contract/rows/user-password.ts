import { apps, groups, tokens, users } from './fixtures.ts';
import { absent, type Call, type Expect, fieldRows, fromResponse, ok, type Row, refused } from './row.ts';
import {
  createdUserId,
  createUser,
  findUser,
  logInCreatedUser,
  manage,
  newPassword,
  rule as ruleOf,
  rules as rulesOf,
  use,
} from './user-calls.ts';

const path = '/user/password';
const OLD = 'old password';
const NEW = 'new password';
const nothing: Expect = { code: 200, text: /^\{"code":200,"data":\{\},"message":null\}$/ };
const token = (n: number) => fromResponse(n, 'token');
const good = { old_password: OLD, password: NEW };
const change = (n: number, body: object = {}, call: Partial<Call> = {}): Call => ({
  path,
  token: token(n),
  body: { ...good, ...body },
  ...call,
});
const byPassword = (password: string): Call => ({
  path: '/token/id',
  token: null,
  body: { user_id: createdUserId, password },
});
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect) =>
  ruleOf(path, sentence, before, call, expect);

/** Calls that create a user for one row and log the user in without a device. */
const loggedIn = [createUser({ password: OLD }), logInCreatedUser()];
const fields = {
  path,
  token: token(1),
  before: loggedIn,
  body: good,
  taken: () => nothing,
  blankForms: [absent, null, ''],
};

const fieldGroup: readonly Row[] = [
  {
    rule: `${path} body accepts an object`,
    path: `${path} body`,
    kind: 'legal',
    cases: [{ before: loggedIn, call: change(1), expect: nothing }],
  },
  {
    rule: `${path} body rejects values that are not objects: 10002`,
    path: `${path} body`,
    kind: 'illegal',
    cases: ['[]', '[{}]', '1', '"text"', 'null', 'true'].map((text) => ({
      call: { path, token: tokens.ann, text },
      expect: refused(10002, /object/),
    })),
  },
  ...fieldRows(fields, newPassword),
  ...fieldRows(fields, {
    name: 'old_password',
    takes: { 'the current password': [OLD] },
    refuses: {
      'another password': [10013, ` ${OLD}`, 'OLD PASSWORD', 'x'.repeat(256), ' '],
      'a value that is not a string': [10002, 12_345_678, true, [OLD], {}],
      'more than 256 characters': [12009, 'x'.repeat(257)],
    },
  }),
];

const outcomes: readonly Row[] = [
  rule('the user can log in with the new password', [...loggedIn, change(1)], byPassword(NEW), ok),
  rule(
    'the user cannot log in with the old password: 10013',
    [...loggedIn, change(1)],
    byPassword(OLD),
    refused(10013),
  ),
  rule('the access token of the call stays valid', [...loggedIn, change(1)], use(token(1)), ok),
  rule(
    'every other access token of the user is rejected: 10008',
    [...loggedIn, logInCreatedUser(), change(1)],
    use(token(2)),
    refused(10008),
  ),
  rule(
    'the device of the access token keeps its user, alias and tags',
    [
      createUser({ password: OLD }),
      logInCreatedUser({ device_guid: 'password-1' }),
      { path: '/device/tag', token: token(1), body: { add: ['news'] } },
      { path: '/device/alias', token: token(1), body: { alias: 'alias-password-1' } },
      change(1),
    ],
    manage('/admin/device/find', { device_guid: 'password-1' }),
    {
      code: 200,
      rows: [
        {
          user_id: createdUserId,
          push_token: fromResponse(1, 'push_token'),
          alias: 'alias-password-1',
          tags: ['news'],
        },
      ],
    },
  ),
  rule(
    'other devices of the user are logged out',
    [...loggedIn, logInCreatedUser({ device_guid: 'password-2' }), change(1)],
    manage('/admin/device/find', { device_guid: 'password-2' }),
    { code: 200, rows: [{ user_id: null }] },
  ),
  rule('other users stay logged in', [...loggedIn, change(1)], { path: '/device/list', token: tokens.ann }, ok),
  rule('a repeated call succeeds', [...loggedIn, change(1)], change(1), nothing),
  rule(
    'a rejected call changes nothing',
    [
      ...loggedIn,
      logInCreatedUser(),
      change(1, { old_password: 'wrong' }),
      change(1, { password: 'password' }),
      change(1, {}, { headers: { user_id: users.ann.userId.toString() } }),
      change(1, {}, { headers: { group_id: groups.choir.toString() } }),
      change(1, {}, { app: apps.other }),
    ],
    use(token(2)),
    ok,
  ),
  rule(
    'a wrong old password is reported: 10013',
    loggedIn,
    change(1, { old_password: 'wrong' }),
    refused(10013, /Check old_password\.$/),
  ),
  rule(
    'a user without a password cannot set one: 10013',
    [createUser(), logInCreatedUser(), change(1)],
    findUser({ user_id: createdUserId }),
    { code: 200, data: { has_password: false } },
  ),
  rule('unknown fields are ignored', loggedIn, change(1, { user_id: users.ann.userId, colour: 'red' }), nothing),
];

const callers: readonly Row[] = [
  rulesOf(path, 'an admin token is rejected with a hint, even on behalf of a user or group: 10010', [
    { call: { path, token: tokens.admin, body: good }, expect: refused(10010, /\/admin\/user\/password/) },
    { call: { path, token: tokens.admin, headers: { user_id: '7' }, body: good }, expect: refused(10010) },
    { call: { path, token: tokens.admin, headers: { group_id: '3' }, body: good }, expect: refused(10010) },
    { call: { path, token: tokens.ann, headers: { user_id: '8' }, body: good }, expect: refused(10010) },
  ]),
  rulesOf(path, 'a missing, invalid or expired token is rejected as in every operation', [
    { call: { path, token: null, body: good }, expect: refused(10003) },
    { call: { path, token: 'garbage', body: good }, expect: refused(10008) },
    { call: { path, token: tokens.otherUser, body: good }, expect: refused(10008) },
    { call: { path, token: tokens.annExpired, body: good }, expect: refused(402) },
  ]),
];

export const userPasswordGroup: readonly Row[] = [...fieldGroup, ...outcomes, ...callers];
