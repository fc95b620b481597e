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

/** Values for a user who has all three names; `n` makes them unique. */
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
      { name, takes: { 'it in many spellings': typed[name].map(([text]) => text) }, refuses: refusedNames[name] },
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
      takes: { 'up to three of the names': [['name'], ['name', 'mobile', 'email'], ['email', 'email']] },
      refuses: {
        'what is no list': [10002, 'name', 1, true, { 0: 'name' }],
        'more than three': [12005, ['name', 'mobile', 'email', 'name']],
      },
    },
  ),
  {
    rule: `${path} body.remove[] takes each of name, mobile and email`,
    path: `${path} body.remove[]`,
    kind: 'legal',
    cases: (['name', 'mobile', 'email'] as const).map((name, i) => ({
      before: [createNamedUser(20 + i)],
      call: update({ remove: [name] }),
      expect: has({ ...named(20 + i), [name]: null }),
    })),
  },
  {
    rule: `${path} body.remove[] refuses anything else, and says what it takes: 10002`,
    path: `${path} body.remove[]`,
    kind: 'illegal',
    cases: ['password', 'user_id', 'Name', ' name'].map((name) => ({
      before: [createUser()],
      call: update({ remove: ['name', name] }),
      expect: refused(10002, /remove\.1 must be one of name, mobile, email\.$/),
    })),
  },
  {
    rule: `${path} body.remove[] refuses what is blank or no text: 10002`,
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
    'what is given is set, the others stay as they are',
    [createNamedUser(30)],
    update({ email: 'Elsewhere@example.com' }),
    has({ ...named(30), email: 'elsewhere@example.com' }),
  ),
  rule('without any field it tells what there is', [createNamedUser(31)], update({}), has(named(31))),
  rule(
    'one name is set and another taken away by one call',
    [createNamedUser(32)],
    update({ name: 'other 32', remove: ['mobile'] }),
    has({ ...named(32), name: 'other 32', mobile: null }),
  ),
  rule('the last name may be taken away too', [createUser({ name: 'only' })], update({ remove: ['name'] }), {
    code: 200,
    data: { name: null, mobile: null, email: null },
  }),
  rule('what somebody has not may be taken away', [createUser()], update({ remove: ['name', 'email'] }), ok),
  rule('somebody’s own name may be set again', [createNamedUser(33)], update(named(33)), has(named(33))),
  rulesOf(path, 'a name that is both given and to be removed is refused: 10002', [
    {
      before: [createNamedUser(34)],
      call: update({ name: 'other 34', remove: ['name'] }),
      expect: refused(10002, /name is both given and to be removed/),
    },
    { call: findUser({ name: 'updated 34' }), expect: has(named(34)) },
  ]),
  rule('a blank name that is to be removed is removed', [createNamedUser(35)], update({ name: '', remove: ['name'] }), {
    code: 200,
    data: { name: null },
  }),
  rule(
    'whoever is logged in stays so',
    [createNamedUser(36), logInCreatedUser(), update({ name: 'other 36' })],
    use(fromResponse(1, 'token')),
    ok,
  ),
  rulesOf(path, 'from then on they log in by the new name, and not by the old', [
    {
      before: [createUser({ name: 'maiden', password: 'password' }), update({ name: 'married' })],
      call: { path: '/token/user', token: null, body: { name: 'married', password: 'password' } },
      expect: ok,
    },
    {
      call: { path: '/token/user', token: null, body: { name: 'maiden', password: 'password' } },
      expect: refused(10013),
    },
  ]),
  rule(
    'the old name is free for others',
    [createUser({ name: 'wanted' }), update({ remove: ['name'] })],
    createUser({ name: 'wanted' }),
    ok,
  ),
  rule(
    'somebody who is shut out can be renamed, and stays so',
    [createUser(), manage('/admin/user/disable', { user_id: createdUserId })],
    update({ name: 'shut out' }),
    has({ name: 'shut out', disabled: true }),
  ),
  rule(
    'the password is not changed here',
    [createUser()],
    update({ password: 'password' }),
    has({ has_password: false }),
  ),
];

const { ann } = users;
const taken = (sentence: string, body: object, field: string) =>
  rule(`${sentence}: 10004`, [createUser()], update(body), refused(10004, new RegExp(`this ${field}\\.$`)));

const conflicts: readonly Row[] = [
  taken('a name that somebody else has is refused', { name: ann.name }, 'name'),
  taken('a number that somebody else has is refused, however it is written', { mobile: '138 0000 0007' }, 'mobile'),
  taken('an address that somebody else has is refused, in any case', { email: 'ANN@example.com' }, 'email'),
  rulesOf(path, 'a refusal changes nothing, of neither', [
    {
      before: [createNamedUser(40), update({ name: 'other 40', mobile: ann.mobile, remove: ['email'] })],
      call: findUser({ user_id: createdUserId }),
      expect: has(named(40)),
    },
    { call: findUser({ user_id: ann.userId }), expect: has({ name: ann.name, mobile: ann.mobile, email: ann.email }) },
  ]),
  rule(
    'somebody who is not there is not there, whatever the names: 10000',
    [],
    manage(path, { user_id: 31_999, name: ann.name }),
    refused(10000),
  ),
];

export const adminUserUpdateGroup: readonly Row[] = [...fieldGroup, ...outcomes, ...conflicts];
