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
      refuses: { 'zero and below': [10002, 0, -1, INT64_MIN], 'a value that is not an int64': [10002, ...notInt64] },
    },
  ),
  ...(['name', 'mobile', 'email'] as const).flatMap((name) =>
    fieldRows(fields, {
      name,
      takes: { 'different spellings': typed[name].map(([text]) => text) },
      refuses: refusedNames[name],
    }),
  ),
  ...fieldRows({ ...fields, blankForms: [absent, null, ''] }, newPassword),
];

const outcomes: readonly Row[] = [
  rule(
    'accepts a request without a body, and creates a user without names or a password',
    [],
    { path, token: tokens.manage },
    mintedId,
  ),
  rule(
    'a user without names or a password is returned with null names and has_password false',
    [createUser()],
    findUser({ user_id: createdUserId }),
    {
      code: 200,
      data: { user_id: createdUserId, name: null, mobile: null, email: null, has_password: false, disabled: false },
    },
  ),
  rule(
    'stores all given values in normalized form',
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
    'returns the largest ID with all digits',
    [],
    createUser({ user_id: INT64_MAX }, { app: userApps.open, token: userAppAdmins.open }),
    { code: 200, text: /"user_id":9223372036854775807[,}]/ },
  ),
  rule(
    'names the smallest valid ID in the error: 10002',
    [],
    createUser({ user_id: 0 }),
    refused(10002, /user_id must be an int64 of at least 1\.$/),
  ),
  rule(
    'generated IDs skip the IDs that callers have chosen',
    [createUser(), ...chosenAfter('user_id', createUser)],
    createUser(),
    mintedId,
  ),
  rulesOf(path, 'the user can log in with the password, by ID and by each name', [
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
    'accepts a password that consists only of spaces',
    [createUser({ name: 'roomy', password: '        ' })],
    { path: '/token/user', token: null, body: { name: 'roomy', password: '        ' } },
    ok,
  ),
  rule(
    'a user without a password cannot log in with a password: 10013',
    [createUser({ name: 'keyless' })],
    { path: '/token/user', token: null, body: { name: 'keyless', password: 'a password' } },
    refused(10013),
  ),
  rule('/admin/user/token returns a token for a user without a password', [createUser()], logInCreatedUser(), {
    code: 200,
    data: { user_id: createdUserId },
  }),
  rule(
    'ignores unknown fields',
    [createUser({ disabled: true, has_password: true, created_at: 1 })],
    findUser({ user_id: createdUserId }),
    { code: 200, data: { disabled: false, has_password: false } },
  ),
];

const first = createUser({ user_id: 31_005, name: 'B\u00e9la', mobile: '13922220003', email: 'bela@example.com' });
const taken = (sentence: string, body: object, field: string) =>
  rule(`${sentence}: 10004`, [first], createUser(body), refused(10004, new RegExp(`this ${field}\\.$`)));

const conflicts: readonly Row[] = [
  taken('rejects an ID that another user has', { user_id: 31_005 }, 'user_id'),
  taken('rejects a name that another user has, in any Unicode form', { name: 'Be\u0301la' }, 'name'),
  taken('rejects a mobile number that another user has, in any format', { mobile: '+86 139-2222-0003' }, 'mobile'),
  taken('rejects an email address that another user has, regardless of case', { email: 'BELA@example.COM' }, 'email'),
  rule('names are case-sensitive', [first], createUser({ name: 'B\u00c9LA' }), mintedId),
  rule(
    'a rejected request leaves the existing user unchanged',
    [first, createUser({ user_id: 31_005, name: 'intruder', password: 'a password' })],
    findUser({ user_id: 31_005 }),
    { code: 200, data: { name: 'B\u00e9la', mobile: '+8613922220003', has_password: false } },
  ),
  rulesOf(path, 'a rejected request creates no user', [
    {
      before: [first, createUser({ user_id: 31_006, name: 'half-made', email: 'bela@example.com' })],
      call: findUser({ user_id: 31_006 }),
      expect: refused(10000),
    },
    { call: findUser({ name: 'half-made' }), expect: refused(10000) },
  ]),
  rule(
    'the ID of a deleted user cannot be reused: 10004',
    [createUser({ user_id: 31_007 }), manage('/admin/user/delete', { user_id: 31_007 })],
    createUser({ user_id: 31_007 }),
    refused(10004, /this user_id\.$/),
  ),
  rule(
    'the names of a deleted user can be reused',
    [
      createUser({ user_id: 31_008, name: 'leaver', mobile: '13922220004', email: 'leaver@example.com' }),
      manage('/admin/user/delete', { user_id: 31_008 }),
    ],
    createUser({ name: 'leaver', mobile: '13922220004', email: 'leaver@example.com' }),
    mintedId,
  ),
  rule(
    'accepts IDs and names of users in other apps',
    [],
    createUser(
      { user_id: users.bob.userId, name: users.bob.name },
      { app: userApps.german, token: userAppAdmins.german },
    ),
    ok,
  ),
];

export const adminUserCreateGroup: readonly Row[] = [...fieldGroup, ...outcomes, ...conflicts];
