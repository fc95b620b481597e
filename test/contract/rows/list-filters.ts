import { addUser, adminOf, createAppCall, inApp, logIn } from './fixture-devices.ts';
import { tokens } from './fixtures.ts';
import {
  type Call,
  type Expect,
  type Field,
  type FromContext,
  fieldRows,
  fromResponse,
  INT64_MAX,
  INT64_MIN,
  inSeconds,
  notInt64,
  notText,
  ok,
  type Row,
  refused,
  taskOf,
} from './row.ts';
import { rule } from './user-calls.ts';

/** Rows about the filters and the order of `/push/task/list` and `/admin/audit/list`. */

const TASKS = '/push/task/list';
const AUDIT = '/admin/audit/list';

const choice = (name: string, values: readonly string[]): Field => ({
  name,
  takes: { 'one of its values': values },
  refuses: { 'another value': [10002, 'x', ...notText] },
});
const time = (name: string): Field => ({
  name,
  takes: { 'any int64': [0, -1, INT64_MIN, 1_794_700_800_000n, INT64_MAX] },
  refuses: { 'a value that is not an int64': [10002, ...notInt64] },
});
const text = (name: string): Field => ({
  name,
  takes: { 'at most 128 characters': ['x', '%', '你好', '\\"', 'x'.repeat(128)] },
  refuses: { 'a longer text': [12009, 'x'.repeat(129)], 'another type': [10002, ...notText] },
});

const order = choice('order', ['newest', 'oldest']);
const taskFields: readonly Field[] = [
  order,
  time('from'),
  time('to'),
  choice('state', ['held', 'sending', 'finished', 'cancelled']),
  text('author'),
  choice('token_kind', ['admin', 'operator', 'user']),
  { ...time('token_id'), takes: { 'any int64': [0, 1, INT64_MAX] } },
  choice('audience', ['all', 'tag', 'alias', 'user_id', 'push_token']),
  text('text'),
  choice('channel_failed', ['apns', 'nativepush', 'webpush']),
];
const auditFields: readonly Field[] = [
  order,
  time('from'),
  time('to'),
  text('operation'),
  { ...time('token_id'), takes: { 'any int64': [0, 1, INT64_MAX] } },
  { ...time('operator_id'), takes: { 'any int64': [0, 1, INT64_MAX] } },
  text('text'),
];
const rowsOfFields = (path: string, fields: readonly Field[]): Row[] =>
  fields.flatMap((field) => fieldRows({ path, body: {}, taken: () => ok, blank: () => ok }, field));

const notify = (app: string, message: object, audience: unknown = 'all'): Call =>
  inApp(app, '/push/notify', { audience, message });
/** Creates four tasks that differ in state, audience and text. */
const fourTasks = (app: string): readonly Call[] => [
  createAppCall(app),
  notify(app, { title: 'Winter SALE "now"', body: 'x', ext: { title: 'hidden' } }),
  notify(app, { body: 'Grand Élan 100%' }, { tag: ['t'] }),
  notify(app, { body: 'later', show_begin_time: inSeconds(3_600) }, { push_token: ['p'] }),
  notify(app, { title: '冬季促销', body: 'x' }, { tag: ['u'] }),
  inApp(app, '/push/task/cancel', { task_id: taskOf(4) }),
];
const taskRow = (app: string, sentence: string, filter: object, tasks: readonly number[], next: unknown = null): Row =>
  rule(TASKS, sentence, fourTasks(app), inApp(app, TASKS, filter), {
    code: 200,
    rows: tasks.map((n) => ({ task_id: taskOf(n) })),
    data: { next },
  });
/** Creates one task with a second token, and one with the first token of the app. */
const twoTokens = (app: string): readonly Call[] => [
  createAppCall(app),
  inApp(app, '/admin/token/create', { name: 'shop backend', scopes: ['push'] }),
  notify(app, { body: 'x' }),
  { app, path: '/push/notify', token: fromResponse(1, 'token'), body: { audience: 'all', message: { body: 'x' } } },
];
/** Returns the time at which the n-th call was accepted, with a difference in milliseconds. */
const acceptedAt =
  (n: number, differenceMs = 0): FromContext =>
  (moment) => {
    const ticks = (taskOf(n)(moment) as bigint) >> 12n;
    return Number((ticks * 1_000n) / 1_024n) + Date.UTC(2026, 0, 1) + differenceMs;
  };

const taskRows: readonly Row[] = [
  taskRow('filter-oldest', 'returns the oldest tasks first', { order: 'oldest' }, [1, 2, 3, 4]),
  taskRow(
    'filter-pages',
    'continues after a task, oldest first',
    { order: 'oldest', limit: 2, after: taskOf(1) },
    [2, 3],
    taskOf(3),
  ),
  taskRow('filter-held', 'returns held tasks', { state: 'held' }, [3]),
  taskRow('filter-sending', 'returns tasks that are being sent', { state: 'sending' }, [2, 1]),
  taskRow('filter-cancelled', 'returns cancelled tasks', { state: 'cancelled' }, [4]),
  taskRow('filter-finished', 'returns no finished task if none is finished', { state: 'finished' }, []),
  taskRow('filter-kind', 'returns tasks with a kind of audience', { audience: 'tag' }, [4, 2]),
  taskRow('filter-both', 'returns tasks that match every filter', { audience: 'tag', state: 'sending' }, [2]),
  taskRow('filter-title', 'finds a text in the title, without regard to case', { text: 'sale "N' }, [1]),
  taskRow('filter-body', 'finds letters outside ASCII without regard to case', { text: 'éLAN' }, [2]),
  taskRow('filter-percent', 'finds a percent sign literally', { text: '0%' }, [2]),
  taskRow('filter-wildcard', 'does not treat a percent sign as a wildcard', { text: 'W%r' }, []),
  taskRow('filter-accent', 'does not confuse letters outside ASCII with others', { text: 'ölan' }, []),
  taskRow('filter-han', 'finds Chinese text', { text: '促销' }, [4]),
  taskRow('filter-ext', 'finds no text in other fields', { text: 'hidden' }, []),
  taskRow('filter-from', 'returns tasks from a time on', { from: acceptedAt(3) }, [4, 3]),
  taskRow('filter-to', 'returns tasks before a time', { to: acceptedAt(1, -60_000) }, []),
  taskRow(
    'filter-times',
    'returns tasks of a range of time',
    { from: acceptedAt(1), to: acceptedAt(4, 60_000) },
    [4, 3, 2, 1],
  ),
  taskRow('filter-failed', 'returns no task without failures on a channel', { channel_failed: 'apns' }, []),
  taskRow('filter-admin', 'returns tasks of admins', { author: 'admin' }, [4, 3, 2, 1]),
  rule(
    TASKS,
    'returns tasks of one user',
    [
      createAppCall('filter-author'),
      inApp('filter-author', '/admin/user/create', { user_id: 5 }),
      notify('filter-author', { body: 'x' }),
      inApp(
        'filter-author',
        '/push/notify',
        { audience: 'all', message: { body: 'x' } },
        { headers: { user_id: '5' } },
      ),
    ],
    inApp('filter-author', TASKS, { author: 'user:5' }),
    { code: 200, rows: [{ task_id: taskOf(3), author: 'user:5' }], data: { next: null } },
  ),
  ...(
    [
      ['filter-token', 'one admin token', { token_kind: 'admin', token_id: fromResponse(1, 'token_id') }, true],
      ['filter-token-id', 'a token ID', { token_id: fromResponse(1, 'token_id') }, true],
      ['filter-token-kind', 'another kind of token', { token_kind: 'operator' }, false],
    ] as const
  ).map(([app, subject, filter, isFound]) =>
    rule(TASKS, `returns tasks of ${subject}`, twoTokens(app), inApp(app, TASKS, filter), {
      code: 200,
      rows: isFound ? [{ task_id: taskOf(3), token_kind: 'admin', token_name: 'shop backend' }] : [],
      data: { next: null },
    }),
  ),
  ...[{ token_kind: 'admin' }, { token_id: 1 }].map((filter) =>
    rule(
      TASKS,
      `a user cannot filter by ${Object.keys(filter)}: 10010`,
      [],
      { path: TASKS, token: tokens.ann, body: filter },
      refused(10010, /token_kind, token_id/),
    ),
  ),
  rule(
    TASKS,
    'a user does not see tasks of another author with a filter',
    [
      createAppCall('filter-own'),
      inApp('filter-own', '/admin/user/create', { user_id: 5 }),
      inApp('filter-own', '/admin/user/token', { user_id: 5 }),
      notify('filter-own', { body: 'x' }),
    ],
    inApp('filter-own', TASKS, { author: 'admin' }, { token: fromResponse(2, 'token') }),
    { code: 200, rows: [], data: { next: null } },
  ),
];

const entries = (app: string, filter: object, operations: readonly string[]): [call: Call, expect: Expect] => [
  inApp(app, AUDIT, filter),
  { code: 200, rows: operations.map((operation) => ({ operation })), data: { next: null } },
];
/** Creates three entries with the first token of the app, and one with another token. */
const fourEntries = (app: string): readonly Call[] => [
  createAppCall(app),
  addUser(71, adminOf(app)),
  logIn(71, 'Phone-71', adminOf(app)),
  inApp(app, '/admin/token/create', { name: 'Élan', scopes: ['*'] }),
  { app, path: '/admin/user/disable', token: fromResponse(3, 'token'), body: { user_id: 71 } },
];
const [CREATE, LOGIN, TOKEN, DISABLE] = [
  '/admin/user/create',
  '/admin/user/token',
  '/admin/token/create',
  '/admin/user/disable',
];
const auditRow = (app: string, sentence: string, filter: object, operations: readonly string[]): Row =>
  rule(AUDIT, sentence, fourEntries(app), ...entries(app, filter, operations));
const now =
  (differenceMs: number): FromContext =>
  () =>
    Date.now() + differenceMs;

const auditRows: readonly Row[] = [
  auditRow('audit-oldest', 'returns the oldest entries first', { order: 'oldest' }, [
    CREATE,
    LOGIN,
    TOKEN,
    TOKEN,
    DISABLE,
  ]),
  auditRow('audit-prefix', 'returns entries of operations with a prefix', { operation: '/admin/user/' }, [
    DISABLE,
    LOGIN,
    CREATE,
  ]),
  auditRow('audit-path', 'returns entries of one operation', { operation: LOGIN }, [LOGIN]),
  auditRow('audit-like', 'does not treat an underscore as a wildcard', { operation: '/admin_user' }, []),
  auditRow('audit-token', 'returns entries of one token', { token_id: fromResponse(3, 'token_id') }, [DISABLE]),
  auditRow('audit-operator', 'returns no entry of an operator without calls', { operator_id: 1 }, []),
  auditRow('audit-find', 'finds a text in the detail, without regard to case', { text: 'éLAN' }, [TOKEN, TOKEN]),
  auditRow('audit-from', 'returns no entry from a later time on', { from: now(60_000) }, []),
  auditRow('audit-to', 'returns no entry before an earlier time', { to: now(-3_600_000) }, []),
  auditRow(
    'audit-times',
    'returns entries of a range of time',
    { from: now(-3_600_000), to: now(60_000), operation: LOGIN },
    [LOGIN],
  ),
];

export const listFiltersGroup: readonly Row[] = [
  ...rowsOfFields(TASKS, taskFields),
  ...rowsOfFields(AUDIT, auditFields),
  ...taskRows,
  ...auditRows,
];
