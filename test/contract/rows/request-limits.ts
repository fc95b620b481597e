import { addUser, adminOf, inApp, logIn, makeApp } from './cast-devices.ts';
import { FAILURES_PER_ADDRESS, FAILURES_PER_NAME } from './login-limits.ts';
import { rule } from './people-calls.ts';
import { answered, type Call, type Expect, type Later, type Row, refused } from './row.ts';

/** Limits of requests, at the service that has small ones and two processes. Every row has an app, and so points, of its own. */

export const SECRET_READS_PER_MINUTE = 3;

const READ = '/push/certificate';
const NOTIFY = '/push/notify';
const MINUTE = /^([1-9]|[1-5]\d|60)$/;
const QUARTER = /^([1-9]|[1-9]\d|[1-8]\d\d|900)$/;

const times = <T>(n: number, item: T): T[] => new Array<T>(n).fill(item);
const elsewhere = (call: Call): Call => ({ ...call, elsewhere: true });

/** What an answer tells of a limit. */
const limits = (limit: number, remaining: number, reset: RegExp): Expect['headers'] => ({
  'ratelimit-limit': new RegExp(`^${limit}$`),
  'ratelimit-remaining': new RegExp(`^${remaining}$`),
  'ratelimit-reset': reset,
});
const untold: Expect['headers'] = {
  'ratelimit-limit': null,
  'ratelimit-remaining': null,
  'ratelimit-reset': null,
  'retry-after': null,
};
const passes = (limit: number, remaining: number, reset: RegExp): Expect => ({
  code: 200,
  headers: { ...limits(limit, remaining, reset), 'retry-after': null },
});
const stopped = (code: number, limit: number, reset: RegExp): Expect => ({
  code,
  headers: { ...limits(limit, 0, reset), 'retry-after': reset },
});

const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
/** An app with a certificate; the admin's token is the first answer. */
const withSecret = (app: string): readonly Call[] => [makeApp(app), inApp(app, '/admin/certificate/save', honor)];
const read = (app: string, more: Partial<Call> = {}): Call =>
  inApp(app, READ, undefined, { method: 'GET', query: 'provider=8', ...more });
const tooMany = stopped(12029, SECRET_READS_PER_MINUTE, MINUTE);

const secretRows: readonly Row[] = [
  rule(
    READ,
    'each read of secrets tells how many are left in this minute',
    withSecret('reads-told'),
    read('reads-told'),
    {
      ...passes(SECRET_READS_PER_MINUTE, 2, MINUTE),
      data: { app_secret: 'client-secret' },
    },
  ),
  rule(
    READ,
    'the last one tells that none is left',
    [...withSecret('reads-last'), ...times(2, read('reads-last'))],
    read('reads-last'),
    passes(SECRET_READS_PER_MINUTE, 0, MINUTE),
  ),
  rule(
    READ,
    'beyond the limit a read is refused, with the seconds to wait: 12029',
    [...withSecret('reads-beyond'), ...times(3, read('reads-beyond'))],
    read('reads-beyond'),
    tooMany,
  ),
  rule(
    READ,
    'and goes on being refused',
    [...withSecret('reads-more'), ...times(6, read('reads-more'))],
    read('reads-more'),
    tooMany,
  ),
  rule(
    READ,
    'reads are counted per admin token: another may still',
    [
      ...withSecret('reads-token'),
      inApp('reads-token', '/admin/token/create', { name: 'another', scopes: ['secrets'] }),
      ...times(4, read('reads-token')),
    ],
    read('reads-token', { token: answered(2, 'token') }),
    passes(SECRET_READS_PER_MINUTE, 2, MINUTE),
  ),
  rule(
    READ,
    'for whomever the token acts',
    [
      ...withSecret('reads-behalf'),
      addUser(1, adminOf('reads-behalf')),
      inApp('reads-behalf', '/admin/group/create', { group_id: 1, name: 'choir' }),
      read('reads-behalf'),
      read('reads-behalf', { headers: { user_id: '1' } }),
      read('reads-behalf', { headers: { group_id: '1' } }),
    ],
    read('reads-behalf', { headers: { user_id: '1' } }),
    tooMany,
  ),
  rule(
    READ,
    'reads that find nothing count as well: nobody tries all providers in no time',
    [...withSecret('reads-nothing'), ...times(3, read('reads-nothing', { query: 'provider=7' }))],
    read('reads-nothing'),
    tooMany,
  ),
  rule(
    READ,
    'requests that are refused for their form do not',
    [...withSecret('reads-form'), ...times(4, read('reads-form', { query: 'provider=9' }))],
    read('reads-form'),
    passes(SECRET_READS_PER_MINUTE, 2, MINUTE),
  ),
  rule(
    READ,
    'users are told nothing secret, so they are not limited',
    [
      ...withSecret('reads-user'),
      addUser(1, adminOf('reads-user')),
      logIn(1, 'phone', adminOf('reads-user')),
      ...times(4, read('reads-user', { token: answered(3, 'token') })),
    ],
    read('reads-user', { token: answered(3, 'token') }),
    { code: 200, data: { app_secret: '' }, headers: untold },
  ),
  rule(
    READ,
    'a limit that was used up at one process is felt at the other: 12029',
    [...withSecret('reads-elsewhere'), ...times(3, read('reads-elsewhere'))],
    elsewhere(read('reads-elsewhere')),
    tooMany,
  ),
  rule(
    READ,
    'both take from the same points',
    [...withSecret('reads-both'), elsewhere(read('reads-both')), read('reads-both')],
    elsewhere(read('reads-both')),
    passes(SECRET_READS_PER_MINUTE, 0, MINUTE),
  ),
];

const hello = { audience: 'all', message: { body: 'hello' } };
const notify = (app: string, more: Partial<Call> = {}): Call => inApp(app, NOTIFY, hello, more);
const slow = { notify_per_second: 1 };
const ONE = /^1$/;

const notifyRows: readonly Row[] = [
  rule(NOTIFY, 'an app without a limit tells none', [makeApp('notify-free')], notify('notify-free'), {
    code: 200,
    headers: untold,
  }),
  rule(
    NOTIFY,
    'notify_per_second: an answer tells how many are left in this second',
    [makeApp('notify-told', { notify_per_second: 10 })],
    notify('notify-told'),
    passes(10, 9, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: beyond it a request is refused, with the seconds to wait: 12029',
    [makeApp('notify-beyond', slow), notify('notify-beyond')],
    notify('notify-beyond'),
    stopped(12029, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second is the app’s, whoever notifies: 12029',
    [
      makeApp('notify-user', slow),
      addUser(1, adminOf('notify-user')),
      logIn(1, 'phone', adminOf('notify-user')),
      notify('notify-user'),
    ],
    notify('notify-user', {
      token: answered(2, 'token'),
      body: { ...hello, audience: { user_id: [1] } },
    }),
    stopped(12029, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: a limit that was used up at one process is felt at the other: 12029',
    [makeApp('notify-elsewhere', slow), elsewhere(notify('notify-elsewhere'))],
    notify('notify-elsewhere'),
    stopped(12029, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: a request that is refused for its form takes nothing',
    [makeApp('notify-form', { notify_per_second: 2 }), inApp('notify-form', NOTIFY, { audience: 'all' })],
    notify('notify-form'),
    passes(2, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: nor one that its caller may not make',
    [
      makeApp('notify-may', { notify_per_second: 2 }),
      addUser(1, adminOf('notify-may')),
      logIn(1, 'phone', adminOf('notify-may')),
      notify('notify-may', { token: answered(2, 'token') }),
    ],
    notify('notify-may'),
    passes(2, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: another app is not touched',
    [makeApp('notify-one', slow), notify('notify-one'), makeApp('notify-two', slow)],
    { ...notify('notify-two'), token: answered(2, 'admin_token') },
    passes(1, 0, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: 0 takes the limit away',
    [
      makeApp('notify-unset', slow),
      notify('notify-unset'),
      inApp('notify-unset', '/admin/app/update', { notify_per_second: 0 }),
    ],
    notify('notify-unset'),
    { code: 200, headers: untold },
  ),
  rule(
    NOTIFY,
    'notify_per_second: only notifying is limited',
    [makeApp('notify-only', slow), notify('notify-only')],
    inApp('notify-only', '/push/task/detail', { list: [1] }),
    { code: 200, headers: untold },
  ),
];

const PASSWORD = 'a good password';
/** Somebody who can log in by ID and by name, in an app of a row's own. */
const person = (app: string): readonly Call[] => [
  makeApp(app),
  inApp(app, '/admin/user/create', { user_id: 1, name: 'ada', password: PASSWORD }),
];
const logInAs = (app: string, body: object, path = '/token/id'): Call => ({ app, path, token: null, body });
const right = (app: string): Call => logInAs(app, { user_id: 1, password: PASSWORD });
const wrong = (app: string, user_id: number | Later = 1): Call => logInAs(app, { user_id, password: 'wrong' });
const failed = (limit: number, remaining: number): Expect => ({
  code: 10013,
  headers: { ...limits(limit, remaining, QUARTER), 'retry-after': null },
});

const loginRows: readonly Row[] = [
  rule('/token/id', 'a failed login tells how many are left', person('login-told'), wrong('login-told'), failed(5, 4)),
  rule(
    '/token/id',
    'the more fail the fewer are left, whichever way they came',
    [...person('login-fewer'), wrong('login-fewer')],
    logInAs('login-fewer', { name: 'ada', password: 'wrong' }, '/token/user'),
    failed(5, 3),
  ),
  rule(
    '/token/id',
    'when none is left that is told with the seconds to wait: 10014',
    [...person('login-none'), ...times(FAILURES_PER_NAME, wrong('login-none'))],
    right('login-none'),
    stopped(10014, FAILURES_PER_NAME, QUARTER),
  ),
  rule(
    '/token/id',
    'a good login costs nothing, and is told so',
    person('login-good'),
    right('login-good'),
    passes(FAILURES_PER_NAME, FAILURES_PER_NAME, QUARTER),
  ),
  rule(
    '/token/id',
    'after failures it tells what they have left',
    [...person('login-after'), ...times(2, wrong('login-after')), right('login-after')],
    right('login-after'),
    passes(FAILURES_PER_NAME, FAILURES_PER_NAME - 2, QUARTER),
  ),
  rule(
    '/token/id',
    'the narrower of the two limits is told: that of the address when many names were tried',
    [...person('login-address'), ...[11, 12, 13, 14, 15].map((id) => wrong('login-address', id))],
    wrong('login-address'),
    failed(FAILURES_PER_ADDRESS, FAILURES_PER_ADDRESS - 6),
  ),
  rule(
    '/token/id',
    'an ID that nobody has is counted like any other',
    [...person('login-unknown'), wrong('login-unknown', 99)],
    wrong('login-unknown', 99),
    failed(5, 3),
  ),
  rule(
    '/token/id',
    'and apart from a login name of the same digits, so that neither tells whether the other is there',
    [...person('login-digits'), ...times(4, wrong('login-digits', 99))],
    logInAs('login-digits', { login_name: '99', password: 'wrong' }, '/token/login'),
    failed(FAILURES_PER_ADDRESS, FAILURES_PER_ADDRESS - 5),
  ),
  rule(
    '/token/id',
    'failures at one process are felt at the other: 10014',
    [...person('login-elsewhere'), ...times(FAILURES_PER_NAME, wrong('login-elsewhere'))],
    elsewhere(right('login-elsewhere')),
    stopped(10014, FAILURES_PER_NAME, QUARTER),
  ),
  rule(
    '/token/id',
    'what a good login gives back at one process is there at the other',
    [...person('login-back'), wrong('login-back'), right('login-back')],
    elsewhere(wrong('login-back')),
    failed(FAILURES_PER_NAME, FAILURES_PER_NAME - 2),
  ),
  rule(
    '/token/id',
    'where every answer has the status 200 the headers are the same',
    [
      makeApp('login-always200', { http_errors: 'always200' }),
      inApp('login-always200', '/admin/user/create', { user_id: 1, password: PASSWORD }),
      ...times(FAILURES_PER_NAME, wrong('login-always200')),
    ],
    right('login-always200'),
    { ...stopped(10014, FAILURES_PER_NAME, QUARTER), status: 200 },
  ),
  rule(
    '/token/id',
    'a login that is refused for its form tells of no limit',
    person('login-form'),
    logInAs('login-form', { user_id: 1 }),
    { ...refused(10002), headers: untold },
  ),
];

export const requestLimitGroup: readonly Row[] = [...secretRows, ...notifyRows, ...loginRows];
