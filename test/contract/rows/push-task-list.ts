import { createAppCall, inApp } from './fixture-devices.ts';
import { groups, NOBODY, tokens, users } from './fixtures.ts';
import { pagingFields } from './paged-lists.ts';
import {
  type Call,
  type Expect,
  fieldRows,
  fromResponse,
  inSeconds,
  notBoolean,
  notInt64,
  ok,
  type Row,
  refused,
  taskOf,
} from './row.ts';
import { bodyRows } from './user-calls.ts';

/**
 * Rows about `/push/task/list` and `/push/task/cancel`. No worker runs at the same time, so tasks stay in the state in
 * which they were accepted.
 */

const LIST = '/push/task/list';
const CANCEL = '/push/task/cancel';
const hello = { audience: { user_id: [users.ann.userId] }, message: { body: 'hello' } };
const notify = (token: string = tokens.admin, call: Partial<Call> = {}): Call => ({
  path: '/push/notify',
  token,
  body: hello,
  ...call,
});
const choir = { headers: { group_id: groups.choir.toString() } };
const rule = (path: string, sentence: string, before: readonly Call[], call: Call, expect: Expect): Row => ({
  rule: `${path}: ${sentence}`,
  path,
  kind: 'rule',
  cases: [{ before, call, expect }],
});
/** Returns a notify call in an app that no other row uses. */
const notifyIn = (app: string, body: object = { audience: 'all', message: { body: 'hello' } }): Call =>
  inApp(app, '/push/notify', body);

export const pushTaskListGroup: readonly Row[] = [
  ...bodyRows([], { path: LIST, token: tokens.admin, body: { limit: 5 } }),
  ...pagingFields.flatMap((field) =>
    fieldRows({ path: LIST, token: tokens.admin, body: {}, taken: () => ok, blank: () => ok }, field),
  ),
  rule(
    LIST,
    'returns the latest tasks first, with the kind of audience and the state of each task',
    [
      createAppCall('list-all'),
      notifyIn('list-all'),
      notifyIn('list-all', { audience: { tag: ['t'] }, message: { body: 'x' } }),
      notifyIn('list-all', {
        audience: { push_token: ['p'] },
        message: { body: 'x', show_begin_time: inSeconds(3_600) },
      }),
      inApp('list-all', CANCEL, { task_id: taskOf(2) }),
    ],
    inApp('list-all', LIST),
    {
      code: 200,
      rows: [
        { task_id: taskOf(3), state: 'held', author: 'admin', audience: 'push_token' },
        { task_id: taskOf(2), state: 'cancelled', author: 'admin', audience: 'tag' },
        { task_id: taskOf(1), state: 'sending', author: 'admin', audience: 'all', accepted_at: /^\d{13}$/ },
      ],
      data: { next: null },
    },
  ),
  ...fieldRows(
    { path: LIST, token: tokens.admin, body: {}, taken: () => ok, blank: () => ok },
    { name: 'counts', takes: { 'a boolean': [true, false] }, refuses: { 'another type': [10002, ...notBoolean] } },
  ),
  ...fieldRows(
    { path: LIST, token: tokens.admin, body: { limit: 1 }, taken: () => ok, blank: () => ok },
    { name: 'content', takes: { 'a boolean': [true, false] }, refuses: { 'another type': [10002, ...notBoolean] } },
  ),
  rule(
    LIST,
    'with `content`, returns the message, and the first 100 values of the audience with their number',
    [
      createAppCall('list-content'),
      notifyIn('list-content', { audience: { user_id: [7, 9_007_199_254_740_993n] }, message: { body: 'x' } }),
      notifyIn('list-content', {
        audience: { tag: Array.from({ length: 101 }, (_, n) => `t${n}`) },
        message: { body: 'y' },
      }),
      notifyIn('list-content', { audience: 'all', message: { title: 'z', ext: { id: 9_007_199_254_740_993n } } }),
    ],
    inApp('list-content', LIST, { content: true }),
    {
      code: 200,
      rows: [
        {
          audience: 'all',
          content: {
            message: '{"title":"z","ext":{"id":9007199254740993},"type":"text","badge":"+1"}',
            audience_values: [],
            audience_count: 0,
          },
        },
        {
          audience: 'tag',
          content: {
            message: '{"body":"y","type":"text","badge":"+1"}',
            audience_values: Array.from({ length: 100 }, (_, n) => `t${n}`),
            audience_count: 101,
          },
        },
        {
          audience: 'user_id',
          content: {
            message: '{"body":"x","type":"text","badge":"+1"}',
            audience_values: ['7', '9007199254740993'],
            audience_count: 2,
          },
        },
      ],
    },
  ),
  rule(
    LIST,
    'with `content`, returns at most 20 tasks, and the next page continues',
    [createAppCall('list-contents'), ...Array.from({ length: 21 }, () => notifyIn('list-contents'))],
    inApp('list-contents', LIST, { content: true, limit: 21 }),
    { code: 200, data: { next: taskOf(2) } },
  ),
  rule(
    LIST,
    'returns no content to a user: 10010',
    [],
    { path: LIST, token: tokens.ann, body: { content: true } },
    refused(10010, /content require an admin token/),
  ),
  rule(
    LIST,
    'returns the title, but counters only with `counts`',
    [
      createAppCall('list-titles'),
      notifyIn('list-titles', { audience: 'all', message: { title: 'Hello "ada"', ext: { title: 'no' } } }),
      notifyIn('list-titles'),
    ],
    inApp('list-titles', LIST),
    {
      code: 200,
      rows: [
        { task_id: taskOf(2), title: null, target: null, sent: null, received: null },
        { task_id: taskOf(1), title: 'Hello "ada"', target: null, sent: null, received: null },
      ],
    },
  ),
  rule(
    LIST,
    'returns 0 for the counters of a task that was not sent yet',
    [createAppCall('list-counts'), notifyIn('list-counts')],
    inApp('list-counts', LIST, { counts: true }),
    { code: 200, rows: [{ task_id: taskOf(1), target: 0, sent: 0, received: 0 }] },
  ),
  rule(
    LIST,
    'continues from `next`, page by page',
    [createAppCall('list-pages'), notifyIn('list-pages'), notifyIn('list-pages'), notifyIn('list-pages')],
    inApp('list-pages', LIST, { limit: 1, after: taskOf(3) }),
    { code: 200, rows: [{ task_id: taskOf(2) }], data: { next: taskOf(2) } },
  ),
  rule(
    LIST,
    'a user sees only the tasks they authored, including those created by an admin on their behalf',
    [
      createAppCall('list-own'),
      inApp('list-own', '/admin/user/create', { user_id: 5 }),
      inApp('list-own', '/admin/user/token', { user_id: 5 }),
      notifyIn('list-own'),
      inApp('list-own', '/push/notify', { ...hello, audience: { user_id: [5] } }, { token: fromResponse(2, 'token') }),
      inApp('list-own', '/push/notify', hello, { headers: { user_id: '5' } }),
    ],
    inApp('list-own', LIST, {}, { token: fromResponse(2, 'token') }),
    {
      code: 200,
      rows: [
        { task_id: taskOf(5), author: 'user:5' },
        { task_id: taskOf(4), author: 'user:5' },
      ],
    },
  ),
  rule(
    LIST,
    'a group admin sees the tasks of the group',
    [
      createAppCall('list-group'),
      inApp('list-group', '/admin/group/create', { group_id: 9, name: 'nine' }),
      inApp('list-group', '/push/notify', hello, { headers: { group_id: '9' } }),
      notifyIn('list-group'),
    ],
    inApp('list-group', LIST, {}, { headers: { group_id: '9' } }),
    { code: 200, rows: [{ task_id: taskOf(2), author: 'group:9' }] },
  ),
  rule(LIST, 'requires the push scope: 10010', [], { path: LIST, token: tokens.manage, body: {} }, refused(10010)),
  rule(LIST, 'requires a token: 10003', [], { path: LIST, token: null, body: {} }, refused(10003)),
];

export const pushTaskCancelGroup: readonly Row[] = [
  ...bodyRows([notify()], { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0) } }),
  ...fieldRows(
    { path: CANCEL, before: [notify()], body: { task_id: taskOf(0) }, taken: () => ok },
    {
      name: 'task_id',
      takes: { 'an existing task': [taskOf(0)] },
      refuses: { 'an unknown task': [12011, NOBODY, 0, -1], 'a value that is not an int64': [10002, ...notInt64] },
    },
  ),
  ...fieldRows(
    { path: CANCEL, before: [notify()], body: { task_id: taskOf(0) }, taken: () => ok, blank: () => ok },
    {
      name: 'recall',
      takes: { 'true and false': [true, false] },
      refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
    },
  ),
  rule(
    CANCEL,
    'without recall, the response does not mention it',
    [notify()],
    { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0), recall: false } },
    { code: 200, text: /"sent":0\}/ },
  ),
  rule(
    CANCEL,
    'with recall, the response lists the channels that were used so far',
    [notify()],
    { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0), recall: true } },
    { code: 200, data: { finished: false, sent: 0 }, text: /"recall":\[\]/ },
  ),
  rule(
    CANCEL,
    'a recall can be requested again',
    [notify(), { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0), recall: true } }],
    { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0), recall: true } },
    ok,
  ),
  rule(
    CANCEL,
    'a user cannot recall a task of an admin: 10002',
    [notify()],
    { path: CANCEL, token: tokens.ann, body: { task_id: taskOf(0), recall: true } },
    refused(12011, /Task not found/),
  ),
  rule(
    CANCEL,
    'cancels a held task and reports that nothing was sent',
    [notify(tokens.admin, { body: { ...hello, message: { body: 'x', show_begin_time: inSeconds(3_600) } } })],
    { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0) } },
    { code: 200, data: { task_id: taskOf(0), finished: false, sent: 0 } },
  ),
  rule(
    CANCEL,
    'a second cancellation returns the same result',
    [notify(), { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0) } }],
    { path: CANCEL, token: tokens.admin, body: { task_id: taskOf(0) } },
    { code: 200, data: { finished: false, sent: 0 } },
  ),
  rule(
    CANCEL,
    'a user can cancel tasks they authored',
    [notify(tokens.ann)],
    { path: CANCEL, token: tokens.ann, body: { task_id: taskOf(0) } },
    ok,
  ),
  rule(
    CANCEL,
    'a user cannot cancel a task of an admin, because the user cannot see the task: 10002',
    [notify()],
    { path: CANCEL, token: tokens.ann, body: { task_id: taskOf(0) } },
    refused(12011, /Task not found/),
  ),
  rule(
    CANCEL,
    'a group admin can cancel tasks of the group',
    [notify(tokens.push, choir)],
    { path: CANCEL, token: tokens.push, ...choir, body: { task_id: taskOf(0) } },
    ok,
  ),
  rule(
    CANCEL,
    'a group admin cannot cancel tasks from outside the group: 10002',
    [notify()],
    { path: CANCEL, token: tokens.push, ...choir, body: { task_id: taskOf(0) } },
    refused(12011, /Task not found/),
  ),
  rule(
    CANCEL,
    'requires the push scope: 10010',
    [notify()],
    { path: CANCEL, token: tokens.manage, body: { task_id: taskOf(0) } },
    refused(10010),
  ),
];
