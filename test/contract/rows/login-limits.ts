import { apps } from './fixtures.ts';
import { type Call, ok, type Row, refused } from './row.ts';

/**
 * These rows run on a separate service, with the default limit of failed logins per name and a limit of eight failed
 * logins per address.
 */
export const FAILURES_PER_NAME = 5;
export const FAILURES_PER_ADDRESS = 8;

/** One user per row, so that rows do not share login limits. */
export const limitedUsers = Array.from({ length: 12 }, (_, i) => ({
  userId: BigInt(101 + i),
  name: `limited-${i}`,
  mobile: `+86139000001${i.toString().padStart(2, '0')}`,
  email: `limited-${i}@example.com`,
}));
export const LIMITED_PASSWORD = 'limited-password';
const WRONG = 'wrong';

/** Returns the header of a trusted proxy, so that each row uses separate client addresses. */
const from = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });

type Way = 'id' | 'name' | 'email' | 'mobile';

function logIn(n: number, way: Way, password = LIMITED_PASSWORD, address = n, app: string = apps.bells): Call {
  const { userId, name, mobile, email } = limitedUsers[n] as (typeof limitedUsers)[number];
  const calls = {
    id: { path: '/token/id', body: { user_id: userId, password } },
    name: { path: '/token/user', body: { name, password } },
    email: { path: '/token/login', body: { login_name: email, password } },
    mobile: { path: '/token/login', body: { login_name: mobile, password } },
  };
  return { app, token: null, headers: from(address), ...calls[way] };
}

const times = <T>(n: number, item: T): T[] => new Array<T>(n).fill(item);
const limited = { ...refused(10014), headers: { 'retry-after': /^([1-9]|[1-9]\d|[1-8]\d\d|900)$/ } };

function rule(sentence: string, before: readonly Call[], call: Call, expect: Row['cases'][number]['expect']): Row {
  return { rule: sentence, path: `${call.path} body`, kind: 'rule', cases: [{ before, call, expect }] };
}

const unknown = (address: number): Call => ({
  path: '/token/user',
  token: null,
  headers: from(address),
  body: { name: 'limited-nobody', password: WRONG },
});

const byLoginName = (login_name: string, address: number): Call => ({
  path: '/token/login',
  token: null,
  headers: from(address),
  body: { login_name, password: WRONG },
});

export const loginLimitGroup: readonly Row[] = [
  rule(
    'after five failures, the correct password is also rejected, and retry-after has the seconds to wait: 10014',
    times(5, logIn(0, 'name', WRONG)),
    logIn(0, 'name'),
    limited,
  ),
  rule(
    'after five failures, a wrong password returns the same error: 10014',
    times(5, logIn(1, 'id', WRONG)),
    logIn(1, 'id', WRONG),
    limited,
  ),
  rule(
    'failures are counted per login name, so that no limit reveals which names belong to the same user',
    times(5, logIn(2, 'id', WRONG)),
    logIn(2, 'mobile'),
    ok,
  ),
  rule('after four failures, the correct password is accepted', times(4, logIn(3, 'email', WRONG)), logIn(3, 'id'), ok),
  rule(
    'a successful login is not counted: after four failures, the user can still log in any number of times',
    [...times(4, logIn(4, 'name', WRONG)), ...times(3, logIn(4, 'name'))],
    logIn(4, 'mobile'),
    ok,
  ),
  rule(
    'a successful login does not reset the count: a fifth failure still blocks the user',
    [...times(4, logIn(5, 'name', WRONG)), logIn(5, 'name'), logIn(5, 'name', WRONG)],
    logIn(5, 'name'),
    limited,
  ),
  rule(
    'an unknown name is counted like an existing name, so that 10014 does not reveal which names exist',
    times(5, unknown(20)),
    unknown(20),
    limited,
  ),
  rule(
    'the five failures are counted together for all notations of a mobile number: 10014',
    ['+8613900000111', '139 0000 0111', '0086-13900000111', '１３９０００００１１１', '(139)00000111'].map(
      (login_name) => byLoginName(login_name, 11),
    ),
    byLoginName('13900000111', 11),
    limited,
  ),
  rule(
    'failures are counted together for all notations of an unknown mobile number: 10014',
    ['+8613900000199', '139 0000 0199', '0086-13900000199', '１３９０００００１９９', '(139)00000199'].map(
      (login_name) => byLoginName(login_name, 24),
    ),
    byLoginName('13900000199', 24),
    limited,
  ),
  rule(
    'failures of one user are not counted for another user',
    times(5, logIn(6, 'name', WRONG)),
    logIn(7, 'name', LIMITED_PASSWORD, 6),
    ok,
  ),
  rule(
    'failures for all names are also counted per address',
    Array.from({ length: FAILURES_PER_ADDRESS }, (_, i) => ({
      ...unknown(21),
      body: { name: `limited-nobody-${i}`, password: WRONG },
    })),
    logIn(8, 'name', LIMITED_PASSWORD, 21),
    limited,
  ),
  rule(
    'failures from one address are not counted for another address',
    Array.from({ length: FAILURES_PER_ADDRESS }, (_, i) => ({
      ...unknown(22),
      body: { name: `limited-somebody-${i}`, password: WRONG },
    })),
    logIn(8, 'name', LIMITED_PASSWORD, 23),
    ok,
  ),
  rule(
    'a request that fails validation does not count as a failed login',
    times(FAILURES_PER_ADDRESS + 1, { ...logIn(9, 'name'), body: { name: 'limited-9' } }),
    logIn(9, 'name'),
    ok,
  ),
  rule(
    'failures in one app are not counted in another app',
    times(5, logIn(10, 'name', WRONG)),
    logIn(10, 'name', LIMITED_PASSWORD, 10, apps.other),
    ok,
  ),
];
