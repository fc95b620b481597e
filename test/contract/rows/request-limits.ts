import { addUser, adminOf, createAppCall, inApp, logIn } from './fixture-devices.ts';
import { onOtherApi, passes, stopped, times, withoutLimitHeaders } from './limit-calls.ts';
import { loginRequestRows } from './request-limits-login.ts';
import { type Call, fromResponse, type Row } from './row.ts';
import { rule } from './user-calls.ts';

/**
 * Rows about request limits, on the service that has small limits and two processes. Each row has a separate app, and
 * therefore separate limits.
 */

export const SECRET_READS_PER_MINUTE = 3;

const READ = '/push/certificate';
const AUDIT = '/admin/audit/list';
const CALLBACK = '/admin/certificate/callback';
const NOTIFY = '/push/notify';
const VALIDATE = '/push/validate';
const MINUTE = /^([1-9]|[1-5]\d|60)$/;

const honor = { provider: 8, name: 'Honor', app_id: '1', app_key: 'client-id', app_secret: 'client-secret' };
/** Returns calls that create an app with credentials. The first response has the admin token. */
const withSecret = (app: string): readonly Call[] => [createAppCall(app), inApp(app, '/admin/certificate/save', honor)];
const read = (app: string, more: Partial<Call> = {}): Call =>
  inApp(app, READ, undefined, { method: 'GET', query: 'provider=8', ...more });
const tooMany = stopped(12029, SECRET_READS_PER_MINUTE, MINUTE);

const secretRows: readonly Row[] = [
  rule(
    READ,
    'each read of secrets returns the number of reads that remain in the minute',
    withSecret('reads-told'),
    read('reads-told'),
    {
      ...passes(SECRET_READS_PER_MINUTE, 2, MINUTE),
      data: { app_secret: 'client-secret' },
    },
  ),
  rule(
    READ,
    'the last allowed read reports that no reads remain',
    [...withSecret('reads-last'), ...times(2, read('reads-last'))],
    read('reads-last'),
    passes(SECRET_READS_PER_MINUTE, 0, MINUTE),
  ),
  rule(
    READ,
    'a read beyond the limit is rejected, with the seconds to wait: 12029',
    [...withSecret('reads-beyond'), ...times(3, read('reads-beyond'))],
    read('reads-beyond'),
    tooMany,
  ),
  rule(
    READ,
    'further reads beyond the limit are rejected too',
    [...withSecret('reads-more'), ...times(6, read('reads-more'))],
    read('reads-more'),
    tooMany,
  ),
  rule(
    READ,
    'reads are counted per admin token: another token can still read',
    [
      ...withSecret('reads-token'),
      inApp('reads-token', '/admin/token/create', { name: 'another', scopes: ['secrets'] }),
      ...times(4, read('reads-token')),
    ],
    read('reads-token', { token: fromResponse(2, 'token') }),
    passes(SECRET_READS_PER_MINUTE, 2, MINUTE),
  ),
  rule(
    READ,
    'reads on behalf of users and groups are counted for the same admin token',
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
    'reads that find nothing are counted as well, so that a caller cannot try all vendors quickly',
    [...withSecret('reads-nothing'), ...times(3, read('reads-nothing', { query: 'provider=7' }))],
    read('reads-nothing'),
    tooMany,
  ),
  rule(
    READ,
    'requests that fail validation are not counted',
    [...withSecret('reads-form'), ...times(4, read('reads-form', { query: 'provider=100' }))],
    read('reads-form'),
    passes(SECRET_READS_PER_MINUTE, 2, MINUTE),
  ),
  rule(
    READ,
    'users are not limited, because they receive no secrets',
    [
      ...withSecret('reads-user'),
      addUser(1, adminOf('reads-user')),
      logIn(1, 'phone', adminOf('reads-user')),
      ...times(4, read('reads-user', { token: fromResponse(3, 'token') })),
    ],
    read('reads-user', { token: fromResponse(3, 'token') }),
    { code: 200, data: { app_secret: '' }, headers: withoutLimitHeaders },
  ),
  rule(
    READ,
    'a limit that was reached at one process also applies at the second process: 12029',
    [...withSecret('reads-elsewhere'), ...times(3, read('reads-elsewhere'))],
    onOtherApi(read('reads-elsewhere')),
    tooMany,
  ),
  rule(
    READ,
    'both processes share one limit',
    [...withSecret('reads-both'), onOtherApi(read('reads-both')), read('reads-both')],
    onOtherApi(read('reads-both')),
    passes(SECRET_READS_PER_MINUTE, 0, MINUTE),
  ),
  rule(
    CALLBACK,
    'reading the callback path is counted as a read of secrets: 12029',
    [...withSecret('reads-callback'), ...times(3, read('reads-callback'))],
    inApp('reads-callback', CALLBACK, { provider: 8 }),
    tooMany,
  ),
  rule(
    AUDIT,
    'rejected reads are not recorded',
    [...withSecret('reads-recorded'), ...times(5, read('reads-recorded'))],
    inApp('reads-recorded', AUDIT, {}),
    {
      code: 200,
      rows: [...times(SECRET_READS_PER_MINUTE, { operation: READ }), { operation: '/admin/certificate/save' }],
    },
  ),
];

const hello = { audience: 'all', message: { body: 'hello' } };
const notify = (app: string, more: Partial<Call> = {}): Call => inApp(app, NOTIFY, hello, more);
const slow = { notify_per_second: 1 };
const ONE = /^1$/;

const notifyRows: readonly Row[] = [
  rule(
    NOTIFY,
    'an app without a limit returns no limit headers',
    [createAppCall('notify-free')],
    notify('notify-free'),
    {
      code: 200,
      headers: withoutLimitHeaders,
    },
  ),
  rule(
    NOTIFY,
    'notify_per_second: a response has the number of requests that remain in the second',
    [createAppCall('notify-told', { notify_per_second: 10 })],
    notify('notify-told'),
    passes(10, 9, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: a request beyond the limit is rejected, with the seconds to wait: 12029',
    [createAppCall('notify-beyond', slow), notify('notify-beyond')],
    notify('notify-beyond'),
    stopped(12029, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second applies to all callers of the app together: 12029',
    [
      createAppCall('notify-user', slow),
      addUser(1, adminOf('notify-user')),
      logIn(1, 'phone', adminOf('notify-user')),
      notify('notify-user'),
    ],
    notify('notify-user', {
      token: fromResponse(2, 'token'),
      body: { ...hello, audience: { user_id: [1] } },
    }),
    stopped(12029, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: validations are counted separately',
    [createAppCall('notify-checked', slow), inApp('notify-checked', '/push/validate', hello)],
    notify('notify-checked'),
    passes(1, 0, ONE),
  ),
  rule(
    '/push/validate',
    'notify_per_second: a validation beyond the limit is rejected: 12029',
    [createAppCall('validate-beyond', slow), inApp('validate-beyond', '/push/validate', hello)],
    inApp('validate-beyond', '/push/validate', hello),
    stopped(12029, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: a limit that was reached at one process also applies at the second process: 12029',
    [createAppCall('notify-elsewhere', slow), onOtherApi(notify('notify-elsewhere'))],
    notify('notify-elsewhere'),
    stopped(12029, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: a request that fails validation is not counted',
    [createAppCall('notify-form', { notify_per_second: 2 }), inApp('notify-form', NOTIFY, { audience: 'all' })],
    notify('notify-form'),
    passes(2, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: a request without permission is not counted',
    [
      createAppCall('notify-may', { notify_per_second: 2 }),
      addUser(1, adminOf('notify-may')),
      logIn(1, 'phone', adminOf('notify-may')),
      notify('notify-may', { token: fromResponse(2, 'token') }),
    ],
    notify('notify-may'),
    passes(2, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: another app is not affected',
    [createAppCall('notify-one', slow), notify('notify-one'), createAppCall('notify-two', slow)],
    { ...notify('notify-two'), token: fromResponse(2, 'admin_token') },
    passes(1, 0, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: 0 removes the limit',
    [
      createAppCall('notify-unset', slow),
      notify('notify-unset'),
      inApp('notify-unset', '/admin/app/update', { notify_per_second: 0 }),
    ],
    notify('notify-unset'),
    { code: 200, headers: withoutLimitHeaders },
  ),
  rule(
    VALIDATE,
    'notify_per_second: a response has the number of requests that remain in the second',
    [createAppCall('validate-told', { notify_per_second: 10 })],
    inApp('validate-told', VALIDATE, hello),
    passes(10, 9, ONE),
  ),
  rule(
    VALIDATE,
    'notify_per_second: a request without permission is not counted',
    [
      createAppCall('validate-may', { notify_per_second: 2 }),
      addUser(1, adminOf('validate-may')),
      logIn(1, 'phone', adminOf('validate-may')),
      inApp('validate-may', VALIDATE, hello, { token: fromResponse(2, 'token') }),
    ],
    inApp('validate-may', VALIDATE, hello),
    passes(2, 1, ONE),
  ),
  rule(
    NOTIFY,
    'notify_per_second: other operations are not limited',
    [createAppCall('notify-only', slow), notify('notify-only')],
    inApp('notify-only', '/push/task/detail', { list: [1] }),
    { code: 200, headers: withoutLimitHeaders },
  ),
];

export const requestLimitGroup: readonly Row[] = [...secretRows, ...notifyRows, ...loginRequestRows];
