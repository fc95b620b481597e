import { createAppCall, inApp } from './fixture-devices.ts';
import { apps, groups, NOBODY, tokens, users } from './fixtures.ts';
import {
  absent,
  blanks,
  type Call,
  type Expect,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  type Row,
  refused,
  row,
  taskOf,
} from './row.ts';

const path = '/push/task/detail';
const about = `${path} body.list`;
const ask = (list: unknown, call: Partial<Call> = {}): Call => ({
  path,
  token: tokens.admin,
  body: list === absent ? {} : { list },
  ...call,
});
const notify = (token: string, call: Partial<Call> = {}): Call => ({
  path: '/push/notify',
  token,
  body: { audience: { user_id: [users.ann.userId] }, message: { body: 'hello' } },
  ...call,
});
const as = {
  admin: notify(tokens.admin),
  ann: notify(tokens.ann),
  choir: notify(tokens.push, { headers: { group_id: groups.choir.toString() } }),
  forAnn: notify(tokens.push, { headers: { user_id: users.ann.userId.toString() } }),
  other: notify(tokens.otherAdmin, { app: apps.other }),
};
const listed = (...list: readonly unknown[]): Expect => ({ code: 200, list });

function rows(kind: Row['kind'], at: string, rule: string, lists: readonly unknown[], expect: Expect): Row {
  return { rule: `${at} ${rule}`, path: at, kind, cases: lists.map((list) => ({ call: ask(list), expect })) };
}
function rule(sentence: string, before: readonly Call[], call: Call, expect: Expect): Row {
  return { rule: sentence, path: about, kind: 'rule', cases: [{ before, call, expect }] };
}

const unknownIds = (n: number) => Array.from({ length: n }, (_, i) => NOBODY + BigInt(i));
const zerosOf = (channels: readonly string[]): string =>
  channels.flatMap((channel) => ['sent', 'received', 'target'].map((counter) => `"${channel}_${counter}":0`)).join(',');
const specified = zerosOf(['apns', 'fcm', 'flyme', 'honor', 'huawei', 'nativepush', 'oppo', 'vivo', 'xiaomi']);
const extra = zerosOf(['harmony', 'webpush']);
/** A response with one task and exactly these counters, in this order. */
const exactly = (counters: string): RegExp =>
  new RegExp(`^\\{"code":200,"data":\\[\\{"task_id":\\d+,${counters}\\}\\],"message":null\\}$`);
/** A task in an app with these settings. */
const inAppWith = (app: string, settings: object): readonly Call[] => [
  createAppCall(app, settings),
  inApp(app, '/push/notify', notify('').body),
];
const askIn = (app: string): Call => inApp(app, path, { list: [taskOf(1)] });

export const pushTaskDetailGroup: readonly Row[] = [
  row('legal', `${path} body`, `${path} body accepts an object with a list`, ask([1]), listed()),
  {
    rule: `${path} body rejects values that are not objects: 10002`,
    path: `${path} body`,
    kind: 'illegal',
    cases: ['[1]', '1', '"1"', 'null'].map((text) => ({ call: { path, text }, expect: refused(10002, /object/) })),
  },
  rows('legal', about, 'accepts one task ID', [[NOBODY]], listed()),
  rows('legal', about, 'accepts 500 task IDs', [unknownIds(500)], listed()),
  rows('blank', about, 'must not be blank', blanks, refused(10002, /list/)),
  rows('illegal', about, 'rejects values that are not lists: 10002', [1, '1', true, { 0: 1 }], refused(10002)),
  rows('illegal', about, 'rejects 501 task IDs: 12005', [unknownIds(501)], refused(12005)),
  rows('illegal', about, 'counts duplicates towards the limit: 12005', [unknownIds(501).fill(1n)], refused(12005)),
  rows('legal', `${about}[]`, 'accepts any int64', [[0, -1, INT64_MAX, INT64_MIN, 2 ** 53]], listed()),
  rows(
    'illegal',
    `${about}[]`,
    'rejects values that are not an int64: 10002',
    notInt64.map((id) => [1, id]),
    refused(10002),
  ),
  rows(
    'illegal',
    `${about}[]`,
    'must not be blank: 10002',
    [null, '', ' ', [], {}].map((id) => [1, id]),
    refused(10002),
  ),
  rule('statistics have the task_id and 27 counters, all zero before anything is sent', [as.admin], ask([taskOf(0)]), {
    ...listed(taskOf(0)),
    text: exactly(specified),
  }),
  rule(
    'statistics have exactly the specified counters if extra_counters is off',
    inAppWith('detail-default', { extra_counters: false }),
    askIn('detail-default'),
    { ...listed(taskOf(1)), text: exactly(specified) },
  ),
  rule(
    'statistics have the counters of the other channels after the specified ones if extra_counters is on',
    inAppWith('detail-extra', { extra_counters: true }),
    askIn('detail-extra'),
    { ...listed(taskOf(1)), text: exactly(`${specified},${extra}`) },
  ),
  rule(
    'statistics keep the order of the request',
    [as.admin, as.admin],
    ask([taskOf(1), taskOf(0)]),
    listed(taskOf(1), taskOf(0)),
  ),
  rule(
    'statistics contain a repeated task ID once, at its first position',
    [as.admin, as.admin],
    ask([taskOf(1), taskOf(0), taskOf(1), taskOf(0)]),
    listed(taskOf(1), taskOf(0)),
  ),
  rule('statistics omit unknown task IDs', [as.admin], ask([NOBODY, taskOf(0), INT64_MAX, 0, -1]), listed(taskOf(0))),
  rule('statistics omit tasks of another app', [as.admin, as.other], ask([taskOf(1), taskOf(0)]), listed(taskOf(0))),
  rule('statistics are an empty list if no task ID exists in the app', [as.other], ask([taskOf(0), NOBODY]), listed()),
  rule(
    'an admin sees the tasks of all authors',
    [as.ann, as.choir, as.forAnn, as.admin],
    ask([taskOf(0), taskOf(1), taskOf(2), taskOf(3)]),
    listed(taskOf(0), taskOf(1), taskOf(2), taskOf(3)),
  ),
  rule(
    'an admin on behalf of a user still sees the tasks of all authors',
    [as.admin, as.choir],
    ask([taskOf(0), taskOf(1)], { headers: { user_id: users.ann.userId.toString() } }),
    listed(taskOf(0), taskOf(1)),
  ),
  rule(
    'a user sees the tasks they authored, including those created on their behalf',
    [as.admin, as.ann, as.choir, as.forAnn],
    ask([taskOf(0), taskOf(1), taskOf(2), taskOf(3)], { token: tokens.ann }),
    listed(taskOf(1), taskOf(3)),
  ),
  rule('a user does not see tasks of another user', [as.ann], ask([taskOf(0)], { token: tokens.bob }), listed()),
  rule(
    'a group admin sees only the tasks of the group',
    [as.admin, as.choir, as.ann],
    ask([taskOf(0), taskOf(1), taskOf(2)], { headers: { group_id: groups.choir.toString() } }),
    listed(taskOf(1)),
  ),
  rule(
    'a group admin does not see tasks of another group',
    [as.choir],
    ask([taskOf(0)], { headers: { group_id: groups.band.toString() } }),
    listed(),
  ),
  rule(
    'statistics are available with the push scope',
    [as.admin],
    ask([taskOf(0)], { token: tokens.push }),
    listed(taskOf(0)),
  ),
  rule(
    'statistics are not available with only the secrets scope: 10010',
    [],
    ask([1], { token: tokens.secrets }),
    refused(10010),
  ),
  rule('statistics are not available without scopes: 10010', [], ask([1], { token: tokens.scopeless }), refused(10010)),
  rule('statistics require a token: 10003', [], ask([1], { token: null }), refused(10003)),
  rule(
    'statistics ignore unknown fields',
    [as.admin],
    { path, body: { list: [taskOf(0)], colour: 'red' } },
    listed(taskOf(0)),
  ),
];
