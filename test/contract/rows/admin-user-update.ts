import { tokens, users } from './fixtures.ts';
import { type Call, type Expect, fieldRows, fromResponse, ok, type Row, refused } from './row.ts';
import {
  bodyRows,
  createdUserId,
  createUser,
  findUser,
  freshEmail,
  freshName,
  idRows,
  logInCreatedUser,
  manage,
  refusedNames,
  rule as ruleOf,
  rules as rulesOf,
  typedNames,
  use,
} from './user-calls.ts';

const path = '/admin/user/update';
const update = (body: object): Call => manage(path, { user_id: createdUserId, ...body });
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect) =>
  ruleOf(path, sentence, before, call, expect);

/** Returns a name, a mobile number and an email address for one user; `n` makes the values unique. */
const named = (n: number) => ({ name: `updated ${n}`, mobile: `+86139333300${n}`, email: `updated-${n}@example.com` });
const createNamedUser = (n: number) => createUser(named(n));
const has = (data: object): Expect => ({ code: 200, data: { ...data } });

const fields = {
  path,
  token: tokens.manage,
  before: [createUser()],
  body: { user_id: createdUserId },
  taken: () => ok,
};
const typed = typedNames(3);

const fieldGroup: readonly Row[] = [
  ...bodyRows([createUser()], update({ name: 'renamed' }), has({ name: 'renamed' })),
  ...idRows(fields, 'user_id'),
  ...(['name', 'mobile', 'email'] as const).flatMap((name) =>
    fieldRows(
      {
        ...fields,
        taken: (_name, value) => has({ [name]: typed[name].find(([text]) => text === value)?.[1] }),
        blank: () => has({ [name]: null }),
      },
      { name, takes: { 'different spellings': typed[name].map(([text]) => text) }, refuses: refusedNames[name] },
    ),
  ),
  ...fieldRows(
    {
      ...fields,
      before: [createUser({ name: freshName, email: freshEmail })],
      blank: () => has({ name: /^fresh name/, email: /^fresh-/ }),
    },
    {
      name: 'remove',
      takes: { 'up to three field names': [['name'], ['name', 'mobile', 'email'], ['email', 'email']] },
      refuses: {
        'a value that is not a list': [10002, 'name', 1, true, { 0: 'name' }],
        'more than three items': [12005, ['name', 'mobile', 'email', 'name']],
      },
    },
  ),
  {
    rule: `${path} body.remove[] accepts name, mobile and email`,
    path: `${path} body.remove[]`,
    kind: 'legal',
    cases: (['name', 'mobile', 'email'] as const).map((name, i) => ({
      before: [createNamedUser(20 + i)],
      call: update({ remove: [name] }),
      expect: has({ ...named(20 + i), [name]: null }),
    })),
  },
  {
    rule: `${path} body.remove[] rejects other strings and lists the valid ones: 10002`,
    path: `${path} body.remove[]`,
    kind: 'illegal',
    cases: ['password', 'user_id', 'Name', ' name'].map((name) => ({
      before: [createUser()],
      call: update({ remove: ['name', name] }),
      expect: refused(10002, /remove\.1 must be one of name, mobile, email\.$/),
    })),
  },
  {
    rule: `${path} body.remove[] rejects blank items and items that are not strings: 10002`,
    path: `${path} body.remove[]`,
    kind: 'illegal',
    cases: ['', '  ', null, [], {}, 1, true].map((name) => ({
      before: [createUser()],
      call: update({ remove: [name] }),
      expect: refused(10002),
    })),
  },
];

const outcomes: readonly Row[] = [
  rule(
    'sets the given fields and leaves the others unchanged',
    [createNamedUser(30)],
    update({ email: 'Elsewhere@example.com' }),
    has({ ...named(30), email: 'elsewhere@example.com' }),
  ),
  rule('returns the current values if no field is given', [createNamedUser(31)], update({}), has(named(31))),
  rule(
    'sets one name and removes another in one request',
    [createNamedUser(32)],
    update({ name: 'other 32', remove: ['mobile'] }),
    has({ ...named(32), name: 'other 32', mobile: null }),
  ),
  rule('can remove the only name of a user', [createUser({ name: 'only' })], update({ remove: ['name'] }), {
    code: 200,
    data: { name: null, mobile: null, email: null },
  }),
  rule(
    'ignores names in remove that the user does not have',
    [createUser()],
    update({ remove: ['name', 'email'] }),
    ok,
  ),
  rule('accepts the names that the user already has', [createNamedUser(33)], update(named(33)), has(named(33))),
  rulesOf(path, 'rejects a name that is both set and listed in remove: 10002', [
    {
      before: [createNamedUser(34)],
      call: update({ name: 'other 34', remove: ['name'] }),
      expect: refused(10002, /name is both set and listed in remove/),
    },
    { call: findUser({ name: 'updated 34' }), expect: has(named(34)) },
  ]),
  rule(
    'removes a name that is blank and listed in remove',
    [createNamedUser(35)],
    update({ name: '', remove: ['name'] }),
    {
      code: 200,
      data: { name: null },
    },
  ),
  rule(
    'the user stays logged in after a change of name',
    [createNamedUser(36), logInCreatedUser(), update({ name: 'other 36' })],
    use(fromResponse(1, 'token')),
    ok,
  ),
  rulesOf(path, 'the user can log in with the new name but not with the old name', [
    {
      before: [createUser({ name: 'maiden', password: 'a password' }), update({ name: 'married' })],
      call: { path: '/token/user', token: null, body: { name: 'married', password: 'a password' } },
      expect: ok,
    },
    {
      call: { path: '/token/user', token: null, body: { name: 'maiden', password: 'a password' } },
      expect: refused(10013),
    },
  ]),
  rule(
    'another user can use the old name',
    [createUser({ name: 'wanted' }), update({ remove: ['name'] })],
    createUser({ name: 'wanted' }),
    ok,
  ),
  rule(
    'a disabled user can be renamed and stays disabled',
    [createUser(), manage('/admin/user/disable', { user_id: createdUserId })],
    update({ name: 'renamed while disabled' }),
    has({ name: 'renamed while disabled', disabled: true }),
  ),
  rule(
    'does not change the password',
    [createUser()],
    update({ password: 'a password' }),
    has({ has_password: false }),
  ),
];

const { ann } = users;
const taken = (sentence: string, body: object, field: string) =>
  rule(`${sentence}: 10004`, [createUser()], update(body), refused(10004, new RegExp(`this ${field}\\.$`)));

const conflicts: readonly Row[] = [
  taken('rejects a name that another user has', { name: ann.name }, 'name'),
  taken('rejects a mobile number that another user has, in any format', { mobile: '138 0000 0007' }, 'mobile'),
  taken('rejects an email address that another user has, regardless of case', { email: 'ANN@example.com' }, 'email'),
  rulesOf(path, 'a rejected request changes neither user', [
    {
      before: [createNamedUser(40), update({ name: 'other 40', mobile: ann.mobile, remove: ['email'] })],
      call: findUser({ user_id: createdUserId }),
      expect: has(named(40)),
    },
    { call: findUser({ user_id: ann.userId }), expect: has({ name: ann.name, mobile: ann.mobile, email: ann.email }) },
  ]),
  rule(
    'an unknown user is not found, even if the names belong to another user: 10000',
    [],
    manage(path, { user_id: 31_999, name: ann.name }),
    refused(10000),
  ),
];

export const adminUserUpdateGroup: readonly Row[] = [...fieldGroup, ...outcomes, ...conflicts];
