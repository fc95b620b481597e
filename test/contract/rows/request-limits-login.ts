import { createAppCall, inApp } from './fixture-devices.ts';
import { limits, onOtherApi, passes, stopped, times, withoutLimitHeaders } from './limit-calls.ts';
import { FAILURES_PER_ADDRESS, FAILURES_PER_NAME } from './login-limits.ts';
import { type Call, type Expect, type FromContext, type Row, refused } from './row.ts';
import { rule } from './user-calls.ts';

/** Rows about the rate limit headers of login responses. `login-limits.ts` has the rows about the limits themselves. */

const QUARTER = /^([1-9]|[1-9]\d|[1-8]\d\d|900)$/;

const PASSWORD = 'a good password';
/** Returns calls that create an app with a user who can log in by ID and by name. */
const user = (app: string): readonly Call[] => [
  createAppCall(app),
  inApp(app, '/admin/user/create', { user_id: 1, name: 'ada', password: PASSWORD }),
];
const logInAs = (app: string, body: object, path = '/token/id'): Call => ({ app, path, token: null, body });
const right = (app: string): Call => logInAs(app, { user_id: 1, password: PASSWORD });
const wrong = (app: string, user_id: number | FromContext = 1): Call => logInAs(app, { user_id, password: 'wrong' });
/** Returns the expected response after the given number of failures from the address. */
const failed = (failures: number): Expect => ({
  code: 10013,
  headers: { ...limits(FAILURES_PER_ADDRESS, FAILURES_PER_ADDRESS - failures, QUARTER), 'retry-after': null },
});

export const loginRequestRows: readonly Row[] = [
  rule(
    '/token/id',
    'a failed login returns the number of failures that remain for the address',
    user('login-told'),
    wrong('login-told'),
    failed(1),
  ),
  rule(
    '/token/id',
    'each failed login reduces the number of remaining failures, in any login operation',
    [...user('login-fewer'), wrong('login-fewer')],
    logInAs('login-fewer', { name: 'ada', password: 'wrong' }, '/token/user'),
    failed(2),
  ),
  rule(
    '/token/id',
    'a failed login does not reveal the limit of the name',
    [...user('login-own'), ...times(FAILURES_PER_NAME - 1, wrong('login-own'))],
    logInAs('login-own', { name: 'ada', password: 'wrong' }, '/token/user'),
    failed(FAILURES_PER_NAME),
  ),
  rule(
    '/token/id',
    'a login is rejected if no failures remain, with the seconds to wait: 10014',
    [...user('login-none'), ...times(FAILURES_PER_NAME, wrong('login-none'))],
    right('login-none'),
    stopped(10014, FAILURES_PER_NAME, QUARTER),
  ),
  rule(
    '/token/id',
    'a successful login does not reduce the remaining failures',
    user('login-good'),
    right('login-good'),
    passes(FAILURES_PER_NAME, FAILURES_PER_NAME, QUARTER),
  ),
  rule(
    '/token/id',
    'a successful login after failures returns the remaining failures',
    [...user('login-after'), ...times(2, wrong('login-after')), right('login-after')],
    right('login-after'),
    passes(FAILURES_PER_NAME, FAILURES_PER_NAME - 2, QUARTER),
  ),
  rule(
    '/token/id',
    'after many IDs were tried, a failed login returns the remaining failures of the address',
    [...user('login-address'), ...[11, 12, 13, 14, 15].map((id) => wrong('login-address', id))],
    wrong('login-address'),
    failed(6),
  ),
  rule(
    '/token/id',
    'after many IDs were tried, a successful login returns the remaining failures of the address, which are fewer than those of the user',
    [...user('login-narrow'), ...[11, 12, 13, 14, 15].map((id) => wrong('login-narrow', id))],
    right('login-narrow'),
    passes(FAILURES_PER_ADDRESS, FAILURES_PER_ADDRESS - 5, QUARTER),
  ),
  rule(
    '/token/id',
    'failures for an unknown ID are counted like failures for an existing ID',
    [...user('login-unknown'), wrong('login-unknown', 99)],
    wrong('login-unknown', 99),
    failed(2),
  ),
  rule(
    '/token/id',
    'an unknown ID is blocked like an existing ID: 10014',
    [...user('login-closed'), ...times(FAILURES_PER_NAME, wrong('login-closed', 99))],
    wrong('login-closed', 99),
    stopped(10014, FAILURES_PER_NAME, QUARTER),
  ),
  rule(
    '/token/id',
    'an unknown ID is counted separately from a login name with the same digits, so that neither reveals whether a user exists',
    [...user('login-digits'), ...times(FAILURES_PER_NAME, wrong('login-digits', 99))],
    logInAs('login-digits', { login_name: '99', password: 'wrong' }, '/token/login'),
    failed(FAILURES_PER_NAME + 1),
  ),
  rule(
    '/token/id',
    'failures at one process also count at the second process: 10014',
    [...user('login-elsewhere'), ...times(FAILURES_PER_NAME, wrong('login-elsewhere'))],
    onOtherApi(right('login-elsewhere')),
    stopped(10014, FAILURES_PER_NAME, QUARTER),
  ),
  rule(
    '/token/id',
    'a successful login at one process does not reduce the remaining failures at the second process',
    [...user('login-back'), wrong('login-back'), right('login-back')],
    onOtherApi(wrong('login-back')),
    failed(2),
  ),
  rule(
    '/token/id',
    'an app with http_errors always200 returns the same headers',
    [
      createAppCall('login-always200', { http_errors: 'always200' }),
      inApp('login-always200', '/admin/user/create', { user_id: 1, password: PASSWORD }),
      ...times(FAILURES_PER_NAME, wrong('login-always200')),
    ],
    right('login-always200'),
    { ...stopped(10014, FAILURES_PER_NAME, QUARTER), status: 200 },
  ),
  rule(
    '/token/id',
    'a login that fails validation returns no limit headers',
    user('login-form'),
    logInAs('login-form', { user_id: 1 }),
    { ...refused(10002), headers: withoutLimitHeaders },
  ),
];
