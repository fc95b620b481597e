import { apps, groups, NOBODY, tokens, users } from './fixtures.ts';
import { type Call, type Expect, fieldRows, notInt64, ok, type Row, refused, taskOf } from './row.ts';
import { bodyRows } from './user-calls.ts';

/** Rows about `/push/task/report`. No worker runs at the same time. Counters are tested in `test/flows`. */

const path = '/push/task/report';
const notify = (token: string = tokens.admin, call: Partial<Call> = {}): Call => ({
  path: '/push/notify',
  token,
  body: { audience: { user_id: [users.ann.userId] }, message: { body: 'hello' } },
  ...call,
});
const choir = { headers: { group_id: groups.choir.toString() } };
const report = (call: Partial<Call> = {}): Call => ({
  path,
  token: tokens.admin,
  body: { task_id: taskOf(0) },
  ...call,
});
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect): Row => ({
  rule: `${path}: ${sentence}`,
  path,
  kind: 'rule',
  cases: [{ before, call, expect }],
});
const unknown = refused(12011, /Task not found/);

export const pushTaskReportGroup: readonly Row[] = [
  ...bodyRows([notify()], report()),
  ...fieldRows(
    { path, before: [notify()], body: { task_id: taskOf(0) }, taken: () => ok },
    {
      name: 'task_id',
      takes: { 'an existing task': [taskOf(0)] },
      refuses: { 'an unknown task': [12011, NOBODY, 0, -1], 'a value that is not an int64': [10002, ...notInt64] },
    },
  ),
  rule('lists no channels before the audience is resolved to devices', [notify()], report(), {
    code: 200,
    data: {
      task_id: taskOf(0),
      waiting: 0,
      waiting_until: null,
      recall: 'none',
      failures_complete: true,
      incomplete: false,
    },
    text: /"channels":\[\]/,
  }),
  rule(
    'reports a recall that is running',
    [notify(), { path: '/push/task/cancel', token: tokens.admin, body: { task_id: taskOf(0), recall: true } }],
    report(),
    { code: 200, data: { recall: 'running' } },
  ),
  rule('a user sees their own tasks', [notify(tokens.ann)], report({ token: tokens.ann }), ok),
  rule('a user does not see tasks created by an admin: 10002', [notify()], report({ token: tokens.ann }), unknown),
  rule(
    'a group admin sees the tasks of the group',
    [notify(tokens.push, choir)],
    report({ token: tokens.push, ...choir }),
    ok,
  ),
  rule(
    'a group admin does not see tasks from outside the group: 10002',
    [notify()],
    report({ token: tokens.push, ...choir }),
    unknown,
  ),
  rule(
    'a task of another app is not found: 10002',
    [notify(tokens.otherAdmin, { app: apps.other })],
    report(),
    unknown,
  ),
  rule('requires the push scope: 10010', [notify()], report({ token: tokens.manage }), refused(10010)),
  rule('requires a token: 10003', [notify()], report({ token: null }), refused(10003)),
];
