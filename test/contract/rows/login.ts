import { apps, NOBODY, tokens, una, users } from './fixtures.ts';
import { absent, type Call, fieldRows, INT64_MAX, notInt64, notText, ok, type Row, refused, row } from './row.ts';

const { ann, last, long, spaces } = users;

/**
 * Expected error for every failed login. It is the same for every cause, so that a caller cannot learn whether the
 * login name or the password is wrong.
 */
const sameRefusal = refused(10013, /^The login name or the password is wrong\.$/);

interface Way {
  readonly path: string;
  /** The field that identifies the user. `who` returns its value for a user. */
  readonly field: string;
  readonly who: (user: { userId: bigint; name: string }) => unknown;
  readonly nobody: unknown;
  readonly takes: Readonly<Record<string, readonly unknown[]>>;
  readonly refuses: Readonly<Record<string, readonly [code: number, ...values: readonly unknown[]]>>;
}

const refusedNames = {
  'a value that is not a string': [10002, ...notText],
  'NUL and unpaired surrogates': [10002, 'ann\0', 'ann\ud83d'],
  'more than 256 characters': [12009, 'x'.repeat(257)],
} as const;

const ways: readonly Way[] = [
  {
    path: '/token/id',
    field: 'user_id',
    who: ({ userId }) => userId,
    nobody: NOBODY,
    takes: { 'the ID of a user': [ann.userId] },
    refuses: { 'a value that is not an int64': [10002, ...notInt64] },
  },
  {
    path: '/token/login',
    field: 'login_name',
    who: ({ name }) => name,
    nobody: 'nobody',
    takes: {
      'a user name': [ann.name],
      'a mobile number': [ann.mobile],
      'an email address, regardless of case': [ann.email, ann.email.toUpperCase()],
    },
    refuses: refusedNames,
  },
  {
    path: '/token/user',
    field: 'name',
    who: ({ name }) => name,
    nobody: 'nobody',
    takes: { 'a user name': [ann.name] },
    refuses: refusedNames,
  },
];

/** Returns the rows that all three logins have in common. */
function loginRows({ path, field, who, nobody, takes, refuses }: Way): Row[] {
  const good = { [field]: who(ann), password: ann.password };
  const fields = { path, token: null, body: good };
  const logIn = (body: object, call: Partial<Call> = {}): Call => ({ path, token: null, body, ...call });
  const rule = (sentence: string, ...rest: [Call, Row['cases'][number]['expect']]) =>
    row('rule', `${path} body`, `${path}: ${sentence}`, ...rest);
  return [
    row('legal', `${path} body`, `${path} body accepts the object of the spec`, logIn(good), ok),
    {
      rule: `${path} body rejects values that are not objects`,
      path: `${path} body`,
      kind: 'illegal',
      cases: ['[]', '1', '"ann"', 'null', 'true'].map((text) => ({
        call: { path, token: null, text },
        expect: refused(10002, /object/),
      })),
    },
    ...fieldRows(
      { ...fields, taken: () => ({ code: 200, data: { user_id: ann.userId } }) },
      { name: field, takes, refuses },
    ),
    ...fieldRows(
      { ...fields, taken: () => ok, blankForms: [absent, null, ''] },
      {
        name: 'password',
        takes: { 'the correct password with its spaces': [ann.password] },
        refuses: {
          'a value that is not a string': [10002, ...notText, [], {}],
          'more than 256 characters': [12009, 'x'.repeat(257)],
        },
      },
    ),
    ...fieldRows(
      {
        ...fields,
        taken: () => ({ code: 200, data: { push_token: /^p[0-9a-f]{3}[0-9A-Za-z]{16,64}$/ } }),
        blank: () => ({ code: 200, dataWithout: ['push_token'] }),
      },
      {
        name: 'device_guid',
        takes: {
          'one character': ['x'],
          '128 bytes of UTF-8': ['x'.repeat(128), 'é'.repeat(64), '😀'.repeat(32)],
        },
        refuses: {
          'a value that is not a string': [10002, ...notText],
          'NUL and unpaired surrogates': [10002, 'phone\0', 'phone\ud83d'],
          '129 bytes of UTF-8': [12009, 'x'.repeat(129), `x${'é'.repeat(64)}`, `x${'😀'.repeat(32)}`],
        },
      },
    ),
    rule(
      'returns every field of the token record, with its type and format',
      logIn({ ...good, device_guid: 'record' }),
      {
        code: 200,
        data: {
          access_key_secret: /^[0-9A-Za-z]{43}$/,
          encrypt_type: 0,
          public_key: /^-----BEGIN PUBLIC KEY-----\n/,
          push_token: /^p[0-9a-f]{3}/,
          store_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
          token: /^cu_[0-9a-f]{3}[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/,
          user_id: ann.userId,
        },
        tokenDays: 90,
      },
    ),
    rule(
      'a token is valid for the number of days that its app sets',
      logIn({ [field]: who(una), password: una.password }, { app: apps.week }),
      {
        code: 200,
        tokenDays: 7,
      },
    ),
    rule('the largest user_id is returned with every digit', logIn({ [field]: who(last), password: last.password }), {
      code: 200,
      text: /"user_id":9223372036854775807[,}]/,
    }),
    rule('a password of 256 characters is accepted', logIn({ [field]: who(long), password: long.password }), ok),
    rule(
      'a password that consists only of spaces is accepted',
      logIn({ [field]: who(spaces), password: spaces.password }),
      ok,
    ),
    rule(
      'a different number of spaces is a wrong password',
      logIn({ [field]: who(spaces), password: ' ' }),
      sameRefusal,
    ),
    rule(
      'a password without its leading and trailing spaces is wrong',
      logIn({ ...good, password: ann.password.trim() }),
      sameRefusal,
    ),
    rule('a wrong password is rejected: 10013', logIn({ ...good, password: 'wrong' }), sameRefusal),
    rule('an unknown user is rejected with the same message: 10013', logIn({ ...good, [field]: nobody }), sameRefusal),
    rule(
      'a disabled user is rejected with the same message: 10013',
      logIn({ [field]: who(users.disabled), password: users.disabled.password }),
      sameRefusal,
    ),
    rule(
      'a user without a password is rejected with the same message: 10013',
      logIn({ [field]: who(users.passwordless), password: 'any' }),
      sameRefusal,
    ),
    rule(
      'a user of another app is rejected with the same message: 10013',
      logIn(good, { app: apps.other }),
      sameRefusal,
    ),
    rule('ignores unknown fields', logIn({ ...good, colour: 'red', scopes: ['*'] }), ok),
    {
      rule: `${path}: access-token, user_id and group_id are ignored, even if they are invalid`,
      path: `${path} header.access-token`,
      kind: 'rule',
      cases: ['garbage', tokens.adminExpired, tokens.otherAdmin].map((token) => ({
        call: logIn(good, { token, headers: { user_id: 'nobody', group_id: '999' } }),
        expect: ok,
      })),
    },
    rule('a missing app_id is rejected: 10002', logIn(good, { app: null }), refused(10002, /app_id/)),
    rule('an unknown app is rejected: 40000', logIn(good, { app: 'nowhere' }), refused(40000)),
  ];
}

const login = (path: string, who: object, password: string): Call => ({
  path,
  token: null,
  body: { ...who, password },
});
const rule = (path: string, sentence: string, call: Call, expect: Row['cases'][number]['expect']) =>
  row('rule', path, sentence, call, expect);

/** Rows that apply to only one of the three logins. */
const ownRows: readonly Row[] = [
  rule(
    '/token/id body.user_id',
    '/token/id logs in the user with the largest ID',
    login('/token/id', { user_id: INT64_MAX }, last.password),
    { code: 200, data: { user_id: INT64_MAX } },
  ),
  rule(
    '/token/id body.user_id',
    '/token/id does not round an ID to that of another user: 10013',
    login('/token/id', { user_id: INT64_MAX - 1n }, last.password),
    sameRefusal,
  ),
  rule(
    '/token/id body.user_id',
    '/token/id rejects a negative ID like any unknown ID: 10013',
    login('/token/id', { user_id: -1 }, ann.password),
    sameRefusal,
  ),
  rule(
    '/token/login body.login_name',
    '/token/login accepts a name of 256 characters',
    login('/token/login', { login_name: long.name }, long.password),
    ok,
  ),
  rule(
    '/token/login body.login_name',
    '/token/login accepts a name of Han characters',
    login('/token/login', { login_name: users.han.name }, users.han.password),
    ok,
  ),
  rule(
    '/token/login body.login_name',
    '/token/login accepts a mobile number without a plus sign',
    login('/token/login', { login_name: '13800000012' }, spaces.password),
    { code: 200, data: { user_id: spaces.userId } },
  ),
  rule(
    '/token/login body.login_name',
    '/token/login does not accept a user ID as a login name: 10013',
    login('/token/login', { login_name: '7' }, ann.password),
    sameRefusal,
  ),
  rule(
    '/token/login body.login_name',
    '/token/login does not trim a login name: 10013',
    login('/token/login', { login_name: ' ann ' }, ann.password),
    sameRefusal,
  ),
  rule(
    '/token/user body.name',
    '/token/user accepts a name of 256 characters',
    login('/token/user', { name: long.name }, long.password),
    ok,
  ),
  rule(
    '/token/user body.name',
    '/token/user accepts a name of Han characters',
    login('/token/user', { name: users.han.name }, users.han.password),
    ok,
  ),
  rule(
    '/token/user body.name',
    '/token/user does not accept an email address as a user name: 10013',
    login('/token/user', { name: ann.email }, ann.password),
    sameRefusal,
  ),
  rule(
    '/token/user body.name',
    '/token/user does not accept a mobile number as a user name: 10013',
    login('/token/user', { name: ann.mobile }, ann.password),
    sameRefusal,
  ),
  rule(
    '/token/user body.name',
    '/token/user does not trim a name: 10013',
    login('/token/user', { name: ' ann ' }, ann.password),
    sameRefusal,
  ),
];

export const loginGroup: readonly Row[] = [...ways.flatMap(loginRows), ...ownRows];
