import { adminCallerRows } from './admin-scopes.ts';
import { createAppCall, inApp } from './fixture-devices.ts';
import { NOBODY, tokens, users } from './fixtures.ts';
import { type Call, fieldRows, notInt64, ok, type Row, refused, taskOf } from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

/**
 * `/admin/task/quarantined` and `/admin/task/retry` without quarantined work. `test/faults/failed-work.test.ts` tests
 * them with quarantined work.
 */

const LIST = '/admin/task/quarantined';
const RETRY = '/admin/task/retry';
const list: Call = { path: LIST, token: tokens.manage };
const hello = { audience: { user_id: [users.ann.userId] }, message: { body: 'hello' } };
const notify: Call = { path: '/push/notify', token: tokens.admin, body: hello };
const retry = (taskId: unknown): Call => ({ path: RETRY, token: tokens.manage, body: { task_id: taskId } });

export const adminTaskGroup: readonly Row[] = [
  ...adminCallerRows(list, 'manage'),
  rule(
    LIST,
    'returns an empty list if nothing is quarantined',
    [
      createAppCall('no-quarantine'),
      inApp('no-quarantine', '/push/notify', { audience: 'all', message: { body: 'x' } }),
    ],
    inApp('no-quarantine', LIST),
    { code: 200, rows: [] },
  ),
  ...bodyRows([notify], retry(taskOf(0))),
  ...fieldRows(
    { path: RETRY, token: tokens.manage, before: [notify], body: { task_id: taskOf(0) }, taken: () => ok },
    {
      name: 'task_id',
      takes: { 'an existing task': [taskOf(0)] },
      refuses: { 'an unknown task': [12011, NOBODY, 0, -1], 'a value that is not an int64': [10002, ...notInt64] },
    },
  ),
  ...adminCallerRows(retry(NOBODY), 'manage', refused(12011, /Task not found/)),
  rule(RETRY, 'retries nothing if nothing is quarantined', [notify], retry(taskOf(0)), {
    code: 200,
    data: { task_id: taskOf(0), rows: 0, incomplete: false },
  }),
];
