import { createAppCall, inApp } from './fixture-devices.ts';
import { groups, tokens } from './fixtures.ts';
import { type Call, fieldRows, notText, ok, type Row, refused } from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

/** Rows about `/push/statistics/daily`. No worker runs, so no day is counted. */

const path = '/push/statistics/daily';
const body = { from: '2026-11-01', to: '2026-11-02' };
const call = (more: Partial<Call> = {}): Call => ({ path, token: tokens.push, body, ...more });
const notDay = ['2026-11-1', '2026-02-30', '2026-13-01', '2026-11-01T00:00:00Z', 'yesterday', ...notText];
const field = (name: string, good: string) =>
  fieldRows(
    { path, body, taken: () => ok },
    { name, takes: { 'a day': [good] }, refuses: { 'a value that is not a day': [10002, ...notDay] } },
  );

export const pushStatisticsGroup: readonly Row[] = [
  ...bodyRows([], call()),
  ...field('from', '2026-11-01'),
  ...field('to', '2026-11-03'),
  ...fieldRows(
    { path, body, taken: () => ok, blank: () => ok },
    {
      name: 'channel',
      takes: { 'a channel': ['apns', 'nativepush', 'webpush'] },
      refuses: { 'another value': [10002, 'x', 'none', ...notText] },
    },
  ),
  rule(path, 'accepts 92 days', [], call({ body: { from: '2026-08-01', to: '2026-10-31' } }), ok),
  rule(
    path,
    'rejects more than 92 days: 10002',
    [],
    call({ body: { from: '2026-08-01', to: '2026-11-01' } }),
    refused(10002, /more than 92 days/),
  ),
  rule(
    path,
    'rejects a range that ends before it begins: 10002',
    [],
    call({ body: { from: '2026-11-02', to: '2026-11-01' } }),
    refused(10002, /to is before from/),
  ),
  rule(
    path,
    'returns an empty list and no time before the first count',
    [
      createAppCall('statistics-none'),
      inApp('statistics-none', '/push/notify', { audience: 'all', message: { body: 'x' } }),
    ],
    inApp('statistics-none', path, body),
    { code: 200, rows: [], data: { counted_at: null } },
  ),
  rules(path, 'rejects callers that cannot see all tasks of the app: 10010', [
    { call: call({ token: tokens.ann }), expect: refused(10010, /admin token/) },
    { call: call({ headers: { group_id: groups.choir.toString() } }), expect: refused(10010, /group admins/) },
    { call: call({ token: tokens.manage }), expect: refused(10010, /`push`/) },
  ]),
];
