import { groups, tokens, users } from './fixtures.ts';
import { good, NOTIFY, notify, stored, withSetting } from './push-notify.ts';
import {
  type Call,
  type Expect,
  fieldRows,
  inSeconds,
  notInteger,
  notObject,
  notText,
  type Row,
  refused,
  row,
  taskOf,
} from './row.ts';

const about = `${NOTIFY} body.setting`;
const defaults = stored({ strategy: 'combined', sequence: ['ups', 'fcm'] });
const body = { ...good, setting: {} };
const fields = { path: NOTIFY, body, blank: () => defaults };

const strategies = fieldRows(
  { ...fields, taken: (_name, value) => stored({ strategy: value as string, sequence: ['ups', 'fcm'] }) },
  {
    name: 'setting.distribution_strategy',
    takes: {
      'combined, Carillon channel first': ['combined'],
      'nativepush_only, Carillon channel only': ['nativepush_only'],
      'ospush_only, vendors only': ['ospush_only'],
    },
    refuses: {
      'another string': [10002, 'both', 'COMBINED', ' combined', 'native_only'],
      'a value that is not a string': [10002, ...notText],
    },
  },
);

const sequences = fieldRows(
  { ...fields, taken: (_name, value) => stored({ strategy: 'combined', sequence: value as string[] }) },
  {
    name: 'setting.ospush_sequence',
    takes: {
      'a list of one item': [['fcm']],
      'every item of the spec, in the order given': [['meizu', 'vivo', 'oppo', 'xiaomi', 'huawei', 'fcm', 'ups']],
      'harmony and webpush, which the spec does not have': [
        ['harmony', 'ups'],
        ['webpush', 'ups'],
      ],
      duplicates: [['fcm', 'ups', 'fcm']],
    },
    refuses: {
      'a value that is not a list': [10002, 'ups', 1, true, { 0: 'ups' }],
      'more than 20 items': [12005, new Array(21).fill('ups')],
    },
  },
);

const items: readonly Row[] = [
  {
    rule: `${about}.ospush_sequence[] accepts each value`,
    path: `${about}.ospush_sequence[]`,
    kind: 'legal',
    cases: ['ups', 'fcm', 'huawei', 'xiaomi', 'oppo', 'vivo', 'meizu', 'harmony', 'webpush'].map((word) => ({
      call: withSetting({ ospush_sequence: [word] }),
      expect: stored({ sequence: [word] }),
    })),
  },
  {
    rule: `${about}.ospush_sequence[] rejects honor, which has no separate value: 10002`,
    path: `${about}.ospush_sequence[]`,
    kind: 'illegal',
    cases: [{ call: withSetting({ ospush_sequence: ['honor'] }), expect: refused(10002) }],
  },
  {
    rule: `${about}.ospush_sequence[] rejects any other item, blank or not: 10002`,
    path: `${about}.ospush_sequence[]`,
    kind: 'illegal',
    cases: ['apns', 'flyme', 'nativepush', 'UPS', 'fcm ', '', ' ', null, 7, [], {}].map((item) => ({
      call: withSetting({ ospush_sequence: ['ups', item] }),
      expect: refused(10002),
    })),
  },
];

const holds = [
  ...fieldRows(
    { ...fields, taken: () => stored({ end: 'a day later' }), blank: () => stored({ due: 'now', end: 'a day later' }) },
    {
      name: 'setting.hold_seconds',
      takes: { '0 to 300 seconds': [0, 1, 30, 300] },
      refuses: {
        'a value that is not an integer': [10002, ...notInteger],
        'a negative number, or more than 300 seconds': [10002, -1, 301],
      },
    },
  ),
  row(
    'rule',
    `${about}.hold_seconds`,
    'hold_seconds: 0 makes the task due immediately',
    withSetting({ hold_seconds: 0 }),
    stored({ due: 'now', end: 'a day later' }),
  ),
  row(
    'rule',
    `${about}.hold_seconds`,
    'hold_seconds: a later show_begin_time takes precedence',
    notify({ ...good, setting: { hold_seconds: 30 }, message: { body: 'later', show_begin_time: inSeconds(600) } }),
    stored({ due: inSeconds(600), end: 'a day later' }),
  ),
  row(
    'rule',
    `${about}.hold_seconds`,
    'hold_seconds: a show_end_time within the hold is rejected: 12010',
    notify({ ...good, setting: { hold_seconds: 60 }, message: { body: 'late', show_end_time: inSeconds(50) } }),
    refused(12010, /hold_seconds/),
  ),
  row(
    'rule',
    `${about}.hold_seconds`,
    'hold_seconds: a show_end_time after the hold is accepted',
    notify({ ...good, setting: { hold_seconds: 60 }, message: { body: 'late', show_end_time: inSeconds(70) } }),
    stored({ end: inSeconds(70) }),
  ),
];

const requestIds = fieldRows(
  { ...fields, taken: () => defaults },
  {
    name: 'setting.request_id',
    takes: {
      'a string of one byte': ['r'],
      '128 bytes of UTF-8': ['x'.repeat(128), 'é'.repeat(64), '😀'.repeat(32)],
    },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'NUL and unpaired surrogates': [10002, 'r\0', 'r\ud83d'],
      '129 bytes of UTF-8': [12009, 'x'.repeat(129), `x${'é'.repeat(64)}`, `x${'😀'.repeat(32)}`],
    },
  },
);

const request = (id: unknown, call: Partial<Call> = {}, message: object = good.message): Call =>
  notify({ ...good, message, setting: { request_id: id } }, call);
const first: Expect = { code: 200, data: { task_id: taskOf(0) } };
const another: Expect = { code: 200, isNewTask: true };
const asUser = (userId: bigint) => ({ headers: { user_id: userId.toString() } });
const asGroup = (groupId: bigint) => ({ headers: { group_id: groupId.toString() } });

function repeat(rule: string, before: readonly Call[], call: Call, expect: Expect): Row {
  return { rule: `request_id: ${rule}`, path: `${about}.request_id`, kind: 'rule', cases: [{ before, call, expect }] };
}

const repeats: readonly Row[] = [
  repeat('a repeated request returns the first task_id and is marked as repeated', [request('a')], request('a'), {
    ...first,
    headers: { 'carillon-request': /^repeated$/ },
  }),
  repeat('a first request is not marked as repeated', [], request('b'), {
    code: 200,
    headers: { 'carillon-request': null },
  }),
  repeat(
    'another body with the same ID returns the first task_id, with a warning',
    [request('c')],
    request('c', {}, { body: 'something else' }),
    { ...first, headers: { 'carillon-request': /other-body/ } },
  ),
  repeat('another ID creates another task', [request('d1')], request('d2'), another),
  repeat('IDs are compared exactly, including spaces and case', [request('e'), request(' e')], request('E'), another),
  {
    rule: 'request_id: a blank value disables deduplication',
    path: `${about}.request_id`,
    kind: 'blank',
    cases: [null, '', '  ', [], {}].map((blank) => ({
      before: [request(blank)],
      call: request(blank),
      expect: another,
    })),
  },
  repeat('a rejected request does not use up its ID', [request('f', {}, { badge: 'x' })], request('f'), another),
  repeat(
    'requests with different admin tokens have the same author',
    [request('g')],
    request('g', { token: tokens.push }),
    first,
  ),
  repeat('a user is a separate author', [request('h')], request('h', { token: tokens.ann }), another),
  repeat(
    'two users are separate authors',
    [request('i', { token: tokens.ann })],
    notify({ ...good, audience: { user_id: [users.bob.userId] }, setting: { request_id: 'i' } }, { token: tokens.bob }),
    another,
  ),
  repeat('a group is a separate author', [request('j')], request('j', asGroup(groups.choir)), another),
  repeat(
    'two groups are separate authors',
    [request('k', asGroup(groups.choir))],
    request('k', asGroup(groups.band)),
    another,
  ),
  repeat(
    'requests for the same group have the same author',
    [request('l', asGroup(groups.choir))],
    request('l', asGroup(groups.choir)),
    first,
  ),
  repeat(
    'a request that an admin makes on behalf of a user has that user as its author',
    [request('m', asUser(users.ann.userId))],
    request('m', { token: tokens.ann }),
    first,
  ),
  repeat(
    'requests that an admin makes on behalf of two users have different authors',
    [request('n', asUser(users.ann.userId))],
    request('n', asUser(users.bob.userId)),
    another,
  ),
];

export const pushNotifySettingGroup: readonly Row[] = [
  ...fieldRows(
    { path: NOTIFY, body: good, taken: () => defaults, blank: () => defaults },
    {
      name: 'setting',
      takes: {
        'an object with only blank fields': [{ request_id: '', distribution_strategy: null, ospush_sequence: [] }],
      },
      refuses: { 'a value that is not an object': [10002, ...notObject] },
    },
  ),
  row('rule', about, `${about} ignores unknown fields`, withSetting({ colour: 'red' }), defaults),
  ...strategies,
  ...sequences,
  ...items,
  ...holds,
  ...requestIds,
  ...repeats,
];
