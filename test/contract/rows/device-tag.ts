import { deviceCallerRows, pushTokenRows } from './device-callers.ts';
import { ruleOf } from './device-calls.ts';
import { owners } from './fixture-devices.ts';
import { type Expect, fieldRows, notBoolean, ok, type Row, refused } from './row.ts';
import { bodyRows, rules } from './user-calls.ts';

const path = '/device/tag';
const { tagger } = owners;
const fields = { path, token: tagger.token, body: {}, taken: () => ok, blank: () => ok };
const has = (...tags: readonly string[]): Expect => ({ code: 200, data: { tags } });
const numbered = (n: number, name = 't') => Array.from({ length: n }, (_, i) => `${name}${i}`);

const longest = 'x'.repeat(64);
const listField = (name: 'add' | 'remove') => ({
  name,
  takes: {
    'a list of up to 100 tags of 64 bytes': [['news'], ['安娜', ' spaces ', '😀'], ['é'.repeat(32), longest]],
    'the same tag again and again': [new Array(100).fill('again')],
  },
  refuses: {
    'what is no list': [10002, 1, true, 'news', { a: 'news' }],
    'more than 100 tags, also the same ones': [12005, numbered(101), new Array(101).fill('again')],
  },
});
/** Rows about the items of a list. Their path ends in `[]`, to distinguish them from rows about the list. */
const itemRows = (name: 'add' | 'remove'): readonly Row[] => {
  const items = `${path} body.${name}[]`;
  const callWith = (item: unknown) => ({ path, token: tagger.token, body: { [name]: ['good', item] } });
  const tries = (code: number, ...values: readonly unknown[]) =>
    values.map((value) => ({ call: callWith(value), expect: code === 200 ? ok : refused(code) }));
  return [
    { rule: `${items} takes text`, path: items, kind: 'legal', cases: tries(200, 'a', longest, '😀'.repeat(16)) },
    {
      rule: `${items} refuses what is not text, or blank: 10002`,
      path: items,
      kind: 'illegal',
      cases: tries(10002, 1, true, null, ['a'], { a: 'b' }, '', '  '),
    },
    {
      rule: `${items} refuses the character NUL, or half of one: 10002`,
      path: items,
      kind: 'illegal',
      cases: tries(10002, 'tag\0', 'tag\ud83d'),
    },
    {
      rule: `${items} refuses more than 64 bytes, however many characters: 12009`,
      path: items,
      kind: 'illegal',
      cases: tries(12009, `x${longest}`, `x${'é'.repeat(32)}`, '😀'.repeat(17)),
    },
  ];
};

const effectRows: readonly Row[] = [
  ruleOf(
    path,
    'it answers the tags that the device has now, in order',
    3_051,
    (by) => [by.call(path, { add: ['b', 'a'] }), by.call(path, { add: ['c', 'B', 'b'] })],
    has('B', 'a', 'b', 'c'),
  ),
  ruleOf(
    path,
    'the order is the same as in /device/list, whatever the letters',
    3_052,
    (by) => [by.call(path, { add: ['\uffee', '😀', 'z', 'é'] }), by.call('/device/list')],
    { code: 200, rows: [{ tags: ['z', 'é', '\uffee', '😀'] }] },
  ),
  ruleOf(
    path,
    'that order is told here too',
    3_053,
    (by) => [by.call(path, { add: ['\uffee', '😀', 'z', 'é'] })],
    has('z', 'é', '\uffee', '😀'),
  ),
  ruleOf(
    path,
    'without any of the three it only tells the tags',
    3_054,
    (by) => [by.call(path, { add: ['kept'] }), by.call(path, {}), by.call(path)],
    has('kept'),
  ),
  ruleOf(
    path,
    'remove takes away what is there and ignores what is not',
    3_055,
    (by) => [by.call(path, { add: ['a', 'b'] }), by.call(path, { remove: ['a', 'x', 'A'] })],
    has('b'),
  ),
  ruleOf(
    path,
    'first remove, then add: a tag in both is there',
    3_056,
    (by) => [by.call(path, { add: ['a'] }), by.call(path, { remove: ['a', 'b'], add: ['b', 'a'] })],
    has('a', 'b'),
  ),
  ruleOf(
    path,
    'first clear, then add: what was there is gone',
    3_057,
    (by) => [by.call(path, { add: ['a', 'b'] }), by.call(path, { clear: true, remove: ['c'], add: ['b', 'c'] })],
    has('b', 'c'),
  ),
  ruleOf(
    path,
    'clear alone leaves none',
    3_058,
    (by) => [by.call(path, { add: ['a', 'b'] }), by.call(path, { clear: true })],
    has(),
  ),
  ruleOf(
    path,
    'clear: false clears nothing',
    3_059,
    (by) => [by.call(path, { add: ['a'] }), by.call(path, { clear: false, add: ['b'] })],
    has('a', 'b'),
  ),
  ruleOf(
    path,
    'said twice it is the same',
    3_060,
    (by) => [by.call(path, { add: ['a', 'a'], remove: ['b'] }), by.call(path, { add: ['a', 'a'], remove: ['b'] })],
    has('a'),
  ),
  ruleOf(
    path,
    'a device may have a hundred tags',
    3_061,
    (by) => [by.call(path, { add: numbered(60) }), by.call(path, { add: numbered(40, 'u') })],
    has(...[...numbered(60), ...numbered(40, 'u')].sort()),
  ),
  ruleOf(
    path,
    'more than a hundred are refused: 12005',
    3_062,
    (by) => [by.call(path, { add: numbered(60) }), by.call(path, { add: numbered(41, 'u') })],
    refused(12005, /100/),
  ),
  ruleOf(
    path,
    'when more are refused nothing is changed, nothing taken away either',
    3_063,
    (by) => [
      by.call(path, { add: numbered(60) }),
      by.call(path, { remove: ['t0'], add: numbered(50, 'u') }),
      by.call(path, {}),
    ],
    has(...numbered(60).sort()),
  ),
  ruleOf(
    path,
    'what is cleared or removed makes room in the same call',
    3_064,
    (by) => [
      by.call(path, { add: numbered(100) }),
      by.call(path, { clear: true, add: numbered(100, 'u') }),
      by.call(path, { remove: ['u0'], add: ['v'] }),
    ],
    has(...[...numbered(100, 'u').slice(1), 'v'].sort()),
  ),
  ruleOf(
    path,
    'one tag that is wrong refuses them all',
    3_065,
    (by) => [
      by.call(path, { add: ['a'] }),
      by.call(path, { clear: true, add: ['b', ''] }),
      by.call(path, { remove: ['a'], add: ['b', 'x'.repeat(65)] }),
      by.call(path, {}),
    ],
    has('a'),
  ),
  ruleOf(
    path,
    'a tag is kept as it was sent: a test for blanks, never a trim',
    3_066,
    (by) => [by.call(path, { add: [' news ', 'news'] })],
    has(' news ', 'news'),
  ),
];

export const deviceTagGroup: readonly Row[] = [
  ...bodyRows([], { path, token: tagger.token, body: { add: ['news'] } }),
  ...fieldRows(fields, listField('add') as never),
  ...itemRows('add'),
  ...fieldRows(fields, listField('remove') as never),
  ...itemRows('remove'),
  ...fieldRows(fields, {
    name: 'clear',
    takes: { 'true and false': [true, false] },
    refuses: { 'what is no boolean': [10002, ...notBoolean] },
  }),
  ...pushTokenRows(path, { add: ['news'] }, 'tagger'),
  ...deviceCallerRows({ path, body: { add: ['by-caller'] }, newUserId: 3_050 }),
  ...effectRows,
  rules(path, 'the message names the field that is wrong', [
    { call: { path, token: tagger.token, body: { add: ['a', 5] } }, expect: refused(10002, /add\.1/) },
    { call: { path, token: tagger.token, body: { remove: 'a' } }, expect: refused(10002, /remove/) },
  ]),
];
