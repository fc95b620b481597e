import { userAppAdmins, userApps } from './fixture-users.ts';
import { tokens, users } from './fixtures.ts';
import {
  absent,
  type Call,
  type Expect,
  fieldRows,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  ok,
  type Row,
  refused,
} from './row.ts';
import {
  bodyRows,
  chosenAfter,
  createdUserId,
  createUser,
  findUser,
  logInCreatedUser,
  manage,
  newPassword,
  refusedNames,
  rule as ruleOf,
  rules as rulesOf,
  typedNames,
} from './user-calls.ts';

const path = '/admin/user/create';
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect) =>
  ruleOf(path, sentence, before, call, expect);

const mintedId: Expect = { code: 200, data: { user_id: /^[1-9]\d{5,15}$/ } };
const fields = { path, token: tokens.manage, body: {}, taken: () => mintedId, blank: () => mintedId };
const typed = typedNames(2);

const fieldGroup: readonly Row[] = [
  ...bodyRows([], createUser({ user_id: 31_001 })),
  ...fieldRows(
    { ...fields, taken: (_name, value) => ({ code: 200, data: { user_id: value } }) },
    {
      name: 'user_id',
      takes: { 'any int64 above zero': [1, 31_002, 9_007_199_254_740_993n, INT64_MAX - 1_000n] },
      refuses: { 'zero and below': [10002, 0, -1, INT64_MIN], 'what is no int64': [10002, ...notInt64] },
    },
  ),
  ...(['name', 'mobile', 'email'] as const).flatMap((name) =>
    fieldRows(fields, {
      name,
      takes: { 'it in many spellings': typed[name].map(([text]) => text) },
      refuses: refusedNames[name],
    }),
  ),
  ...fieldRows({ ...fields, blankForms: [absent, null, ''] }, newPassword),
];

const outcomes: readonly Row[] = [
  rule('a body may be left out: a person of whom nothing is known', [], { path, token: tokens.manage }, mintedId),
  rule('a person without names and password is told as such', [createUser()], findUser({ user_id: createdUserId }), {
    code: 200,
    data: { user_id: createdUserId, name: null, mobile: null, email: null, has_password: false, disabled: false },
  }),
  rule(
    'everything that was given is stored, as every login reads it',
    [
      createUser({
        user_id: 31_003,
        name: 'Gra\u0302ce',
        mobile: '139 2222 0001',
        email: 'Grace@Example.com',
        password: 'a ship in port is safe',
      }),
    ],
    findUser({ user_id: 31_003 }),
    {
      code: 200,
      data: {
        name: 'Gr\u00e2ce',
        mobile: '+8613922220001',
        email: 'grace@example.com',
        has_password: true,
        disabled: false,
        created_at: /^1[5-9]\d{11}$|^[2-9]\d{12}$/,
      },
    },
  ),
  rule(
    'the largest ID is kept with every digit',
    [],
    createUser({ user_id: INT64_MAX }, { app: userApps.open, token: userAppAdmins.open }),
    { code: 200, text: /"user_id":9223372036854775807[,}]/ },
  ),
  rule(
    'an ID below one is told what the least is: 10002',
    [],
    createUser({ user_id: 0 }),
    refused(10002, /user_id must be an int64 of at least 1\.$/),
  ),
  rule(
    'our IDs pass over those that were chosen',
    [createUser(), ...chosenAfter('user_id', createUser)],
    createUser(),
    mintedId,
  ),
  rulesOf(path, 'the person logs in with the password, by ID and by each name', [
    {
      before: [
        createUser({
          user_id: 31_004,
          name: 'linus',
          mobile: '13922220002',
          email: 'linus@example.com',
          password: 'just for fun',
        }),
      ],
      call: { path: '/token/id', token: null, body: { user_id: 31_004, password: 'just for fun' } },
      expect: ok,
    },
    { call: { path: '/token/user', token: null, body: { name: 'linus', password: 'just for fun' } }, expect: ok },
    ...['linus', '+86 139 2222 0002', 'Linus@example.com'].map((login_name) => ({
      call: { path: '/token/login', token: null, body: { login_name, password: 'just for fun' } },
      expect: { code: 200, data: { user_id: 31_004 } },
    })),
  ]),
  rule(
    'a password of spaces is one',
    [createUser({ name: 'roomy', password: '        ' })],
    { path: '/token/user', token: null, body: { name: 'roomy', password: '        ' } },
    ok,
  ),
  rule(
    'without a password nobody logs in by one: 10013',
    [createUser({ name: 'keyless' })],
    { path: '/token/user', token: null, body: { name: 'keyless', password: 'password' } },
    refused(10013),
  ),
  rule('a person without a password gets tokens by /admin/user/token', [createUser()], logInCreatedUser(), {
    code: 200,
    data: { user_id: createdUserId },
  }),
  rule(
    'unknown fields are ignored',
    [createUser({ disabled: true, has_password: true, created_at: 1 })],
    findUser({ user_id: createdUserId }),
    { code: 200, data: { disabled: false, has_password: false } },
  ),
];

const first = createUser({ user_id: 31_005, name: 'B\u00e9la', mobile: '13922220003', email: 'bela@example.com' });
const taken = (sentence: string, body: object, field: string) =>
  rule(`${sentence}: 10004`, [first], createUser(body), refused(10004, new RegExp(`this ${field}\\.$`)));

const conflicts: readonly Row[] = [
  taken('an ID that somebody has is refused', { user_id: 31_005 }, 'user_id'),
  taken('a name that somebody has is refused, however it is typed', { name: 'Be\u0301la' }, 'name'),
  taken('a number that somebody has is refused, however it is written', { mobile: '+86 139-2222-0003' }, 'mobile'),
  taken('an address that somebody has is refused, in any case', { email: 'BELA@example.COM' }, 'email'),
  rule('the case of a user name counts', [first], createUser({ name: 'B\u00c9LA' }), mintedId),
  rule(
    'a refusal changes nothing of whoever was there',
    [first, createUser({ user_id: 31_005, name: 'intruder', password: 'password' })],
    findUser({ user_id: 31_005 }),
    { code: 200, data: { name: 'B\u00e9la', mobile: '+8613922220003', has_password: false } },
  ),
  rulesOf(path, 'a refusal makes nobody', [
    {
      before: [first, createUser({ user_id: 31_006, name: 'half-made', email: 'bela@example.com' })],
      call: findUser({ user_id: 31_006 }),
      expect: refused(10000),
    },
    { call: findUser({ name: 'half-made' }), expect: refused(10000) },
  ]),
  rule(
    'the ID of a person who was deleted is not given again: 10004',
    [createUser({ user_id: 31_007 }), manage('/admin/user/delete', { user_id: 31_007 })],
    createUser({ user_id: 31_007 }),
    refused(10004, /this user_id\.$/),
  ),
  rule(
    'the names of a person who was deleted are free again',
    [
      createUser({ user_id: 31_008, name: 'leaver', mobile: '13922220004', email: 'leaver@example.com' }),
      manage('/admin/user/delete', { user_id: 31_008 }),
    ],
    createUser({ name: 'leaver', mobile: '13922220004', email: 'leaver@example.com' }),
    mintedId,
  ),
  rule(
    'IDs and names of other apps do not count',
    [],
    createUser(
      { user_id: users.bob.userId, name: users.bob.name },
      { app: userApps.german, token: userAppAdmins.german },
    ),
    ok,
  ),
];

export const adminUserCreateGroup: readonly Row[] = [...fieldGroup, ...outcomes, ...conflicts];
