import { apps, devices, groups, NOBODY, tokens, users } from './fixtures.ts';
import {
  type Call,
  type Expect,
  fieldRows,
  inSeconds,
  notInt64,
  notText,
  ok,
  type Row,
  refused,
  taskOf,
} from './row.ts';
import { bodyRows } from './user-calls.ts';

/**
 * Rows about `/push/task/trace`. No worker runs at the same time, so no audience is resolved to devices. The other
 * cases are tested in `test/flows`.
 */

const path = '/push/task/trace';
const { ann, bob } = users;
const annsPhone = { push_token: devices.ann.pushToken };
const bobsPhone = { push_token: devices.bob.pushToken };
const notify = (token: string = tokens.admin, call: Partial<Call> = {}, message: object = {}): Call => ({
  path: '/push/notify',
  token,
  body: { audience: { user_id: [ann.userId] }, message: { body: 'hello', ...message } },
  ...call,
});
const choir = { headers: { group_id: groups.choir.toString() } };
const trace = (body: object, call: Partial<Call> = {}): Call => ({
  path,
  token: tokens.admin,
  body: { task_id: taskOf(0), ...body },
  ...call,
});
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect): Row => ({
  rule: `${path}: ${sentence}`,
  path,
  kind: 'rule',
  cases: [{ before, call, expect }],
});
const rulesWith = (body: object) => ({
  path,
  before: [notify()],
  body: { task_id: taskOf(0), ...body },
  taken: () => ok,
});

export const pushTaskTraceGroup: readonly Row[] = [
  ...bodyRows([notify()], trace(annsPhone)),
  ...fieldRows(rulesWith(annsPhone), {
    name: 'task_id',
    takes: { 'an existing task': [taskOf(0)] },
    refuses: { 'an unknown task': [12011, NOBODY, 0, -1], 'a value that is not an int64': [10002, ...notInt64] },
  }),
  ...fieldRows(rulesWith(annsPhone), {
    name: 'push_token',
    takes: { 'the push token of a device': [devices.ann.pushToken, devices.bob.pushToken] },
    refuses: {
      'an unknown push token': [12008, 'p', 'p99', `${devices.ann.pushToken.slice(0, -1)}x`],
      'a string longer than any push token': [12009, 'p'.repeat(129)],
      'a value that is not a string': [10002, ...notText],
    },
  }),
  ...fieldRows(rulesWith({ user_id: ann.userId }), {
    name: 'user_id',
    takes: { 'the ID of a user': [ann.userId, users.last.userId] },
    refuses: {
      'the ID of an unknown user': [10000, NOBODY, 0, -1],
      'a value that is not an int64': [10002, ...notInt64],
    },
  }),
  rule(
    'push_token and user_id together are rejected: 10002',
    [notify()],
    trace({ ...annsPhone, user_id: ann.userId }),
    refused(10002, /exactly one of push_token, user_id/),
  ),
  rule('reports that the audience is not resolved to devices yet', [notify()], trace(annsPhone), {
    code: 200,
    data: { task_id: taskOf(0) },
    rows: [{ ...annsPhone, device_guid: devices.ann.guid, state: 'outside', why: /not resolved to devices yet/ }],
    text: /"channels":\[\],"attempts":\[\]/,
  }),
  rule(
    'reports the time until which a task is held',
    [notify(tokens.admin, {}, { show_begin_time: inSeconds(3_600) })],
    trace(annsPhone),
    { code: 200, rows: [{ state: 'outside', why: /^The task is held until 20\d\d-.*Z\.$/ }] },
  ),
  rule(
    'reports that a task was cancelled',
    [notify(), { path: '/push/task/cancel', body: { task_id: taskOf(0) } }],
    trace(annsPhone),
    { code: 200, rows: [{ state: 'outside', why: /cancelled/ }] },
  ),
  rule('returns each device of a user', [notify()], trace({ user_id: bob.userId }), {
    code: 200,
    text: new RegExp(`${devices.bob.guid}.*binder-`),
  }),
  rule('returns no devices for a user without devices', [notify()], trace({ user_id: users.han.userId }), {
    code: 200,
    data: { why: /^The user has never logged in on a device in this app\./ },
    rows: [],
  }),
  rule('an admin can trace a disabled user', [notify()], trace({ user_id: users.disabled.userId }), {
    code: 200,
    rows: [],
  }),
  rule('an admin sees every device', [notify(tokens.ann)], trace(bobsPhone, { token: tokens.push }), ok),
  rule(
    'a user sees their own device by its push token',
    [notify(tokens.ann)],
    trace(annsPhone, { token: tokens.ann }),
    {
      code: 200,
      rows: [annsPhone],
    },
  ),
  rule(
    'a user sees their own devices by user ID',
    [notify(tokens.ann)],
    trace({ user_id: ann.userId }, { token: tokens.ann }),
    ok,
  ),
  rule(
    'a user does not see a device of another user: 12008',
    [notify(tokens.ann)],
    trace(bobsPhone, { token: tokens.ann }),
    refused(12008),
  ),
  rule(
    'a user cannot trace another user: 10010',
    [notify(tokens.ann)],
    trace({ user_id: bob.userId }, { token: tokens.ann }),
    refused(10010, /own user/),
  ),
  rule(
    'a user cannot trace an unknown user: 10010',
    [notify(tokens.ann)],
    trace({ user_id: NOBODY }, { token: tokens.ann }),
    refused(10010, /own user/),
  ),
  rule(
    'a user does not see tasks created by an admin: 10002',
    [notify()],
    trace(annsPhone, { token: tokens.ann }),
    refused(12011, /Task not found/),
  ),
  rule(
    'a group admin sees the devices of members',
    [notify(tokens.push, choir)],
    trace(annsPhone, { token: tokens.push, ...choir }),
    ok,
  ),
  rule(
    'a group admin does not see devices of users outside the group: 12008',
    [notify(tokens.push, choir)],
    trace(bobsPhone, { token: tokens.push, ...choir }),
    refused(12008),
  ),
  rule(
    'a group admin does not see users outside the group: 10000',
    [notify(tokens.push, choir)],
    trace({ user_id: bob.userId }, { token: tokens.push, ...choir }),
    refused(10000),
  ),
  rule(
    'a group admin does not see tasks from outside the group: 10002',
    [notify()],
    trace(annsPhone, { token: tokens.push, ...choir }),
    refused(12011, /Task not found/),
  ),
  rule(
    'a task of another app is not found: 10002',
    [notify(tokens.otherAdmin, { app: apps.other })],
    trace(annsPhone),
    refused(12011, /Task not found/),
  ),
  rule(
    'a device of another app is not found: 12008',
    [notify()],
    trace({ push_token: devices.pushNoneUser.pushToken }),
    refused(12008),
  ),
  rule('requires the push scope: 10010', [notify()], trace(annsPhone, { token: tokens.manage }), refused(10010)),
  rule('requires a token: 10003', [notify()], trace(annsPhone, { token: null }), refused(10003)),
];
