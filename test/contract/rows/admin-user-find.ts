import { listedIds, nora, userAppAdmins, userApps } from './fixture-users.ts';
import { apps, tokens, users } from './fixtures.ts';
import { pagedRows } from './paged-lists.ts';
import {
  absent,
  blanks,
  type Call,
  type Expect,
  fieldRows,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, findUser, manage, refusedNames, rule as ruleOf, rules as rulesOf } from './user-calls.ts';

const FIND = '/admin/user/find';
const isNora: Expect = {
  code: 200,
  data: {
    user_id: nora.userId,
    name: nora.name,
    mobile: nora.mobile,
    email: nora.email,
    has_password: true,
    disabled: false,
    created_at: /^\d{13}$/,
  },
};
const findFields = { path: FIND, token: tokens.manage, body: {}, taken: () => isNora };

const typedByNora = {
  name: [nora.name, 'No\u0308ra'],
  mobile: [nora.mobile, '13700000021', '137 0000-0021', '0086 137 0000 0021', '+86 (137) 0000 0021'],
  email: [nora.email, 'N\u00d6RA@EXAMPLE.COM', 'no\u0308ra@Example.com'],
} as const;

const find: readonly Row[] = [
  ...bodyRows([], findUser({ user_id: nora.userId }), isNora),
  ...fieldRows(findFields, {
    name: 'user_id',
    takes: { 'the ID of a user': [nora.userId] },
    refuses: {
      'an ID that no user has': [10000, 0, -1, INT64_MIN, INT64_MAX - 1n],
      'a value that is not an int64': [10002, ...notInt64],
    },
  }),
  ...(['name', 'mobile', 'email'] as const).flatMap((name) =>
    fieldRows(findFields, {
      name,
      takes: { 'different spellings': typedByNora[name] },
      refuses: refusedNames[name],
    }),
  ),
  rulesWith(FIND, 'requires exactly one field: 10002', refused(10002, /exactly one of user_id, name, mobile, email/), [
    {},
    { user_id: nora.userId, name: nora.name },
    { mobile: nora.mobile, email: nora.email },
    { user_id: nora.userId, name: 'nobody', mobile: nora.mobile, email: nora.email },
  ]),
  rulesWith(
    FIND,
    'treats blank fields as omitted',
    isNora,
    blanks
      .filter((blank) => blank !== absent)
      .map((blank) => ({ user_id: nora.userId, name: blank, mobile: blank, email: blank })),
  ),
  rulesWith(FIND, 'rejects a name, mobile number or email address that no user has: 10000', refused(10000), [
    { name: 'nobody' },
    { name: 'n\u00f6ra' },
    { mobile: '13700000022' },
    { email: 'nobody@example.com' },
  ]),
  rulesWith(FIND, 'finds a disabled user and returns disabled as true', { code: 200, data: { disabled: true } }, [
    { user_id: users.disabled.userId },
    { name: users.disabled.name },
  ]),
  rulesWith(FIND, 'returns the largest ID with all digits', { code: 200, text: /"user_id":9223372036854775807,/ }, [
    { user_id: INT64_MAX },
    { name: users.last.name },
  ]),
  ruleOf(FIND, 'returns neither the password nor its hash', [], findUser({ user_id: users.ann.userId }), {
    code: 200,
    data: { has_password: true },
    dataWithout: ['password', 'password_hash'],
  }),
  rulesOf(FIND, 'does not find users of other apps: 10000', [
    { call: inApp(apps.other, tokens.otherAdmin, FIND, { user_id: nora.userId }), expect: refused(10000) },
    { call: inApp(apps.other, tokens.otherAdmin, FIND, { email: users.ann.email }), expect: refused(10000) },
    { call: inApp(apps.other, tokens.otherAdmin, FIND, { user_id: 7 }), expect: { code: 200, data: { name: 'una' } } },
  ]),
  ruleOf(FIND, 'ignores unknown fields', [], findUser({ user_id: nora.userId, colour: 'red' }), isNora),
];

function inApp(app: string, token: string, path: string, body: unknown): Call {
  return { path, app, token, body };
}

function rulesWith(path: string, sentence: string, expect: Expect, bodies: readonly object[]): Row {
  return rulesOf(
    path,
    sentence,
    bodies.map((body) => ({ call: manage(path, body), expect })),
  );
}

const LIST = '/admin/user/list';
const list: readonly Row[] = [
  ...pagedRows({ path: LIST, inRoll: {}, inCrowd: {}, rowOf: (user_id) => ({ user_id }) }),
  ruleOf(
    LIST,
    'accepts a request without a body',
    [],
    { path: LIST, app: userApps.roll, token: userAppAdmins.roll },
    { code: 200, rows: listedIds.map((user_id) => ({ user_id })) },
  ),
  ruleOf(
    LIST,
    'returns the same fields as /admin/user/find',
    [],
    inApp(userApps.roll, userAppAdmins.roll, LIST, { limit: 1 }),
    {
      code: 200,
      rows: [{ user_id: 1, name: 'person 1', mobile: null, email: null, has_password: false, disabled: false }],
    },
  ),
  ruleOf(
    LIST,
    'includes disabled users and returns disabled as true',
    [],
    manage(LIST, { after: users.disabled.userId - 1n, limit: 1 }),
    { code: 200, rows: [{ user_id: users.disabled.userId, disabled: true }] },
  ),
];

export const adminUserFindGroup: readonly Row[] = [...find, ...list];
