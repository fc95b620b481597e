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
    'up to 100 tags of at most 64 bytes': [['news'], ['安娜', ' spaces ', '😀'], ['é'.repeat(32), longest]],
    'duplicate tags': [new Array(100).fill('again')],
  },
  refuses: {
    'a value that is not a list': [10002, 1, true, 'news', { a: 'news' }],
    'more than 100 tags, including duplicates': [12005, numbered(101), new Array(101).fill('again')],
  },
});
/** Rows about the items of a list. Their path ends in `[]`, to distinguish them from rows about the list. */
const itemRows = (name: 'add' | 'remove'): readonly Row[] => {
  const items = `${path} body.${name}[]`;
  const callWith = (item: unknown) => ({ path, token: tagger.token, body: { [name]: ['good', item] } });
  const tries = (code: number, ...values: readonly unknown[]) =>
    values.map((value) => ({ call: callWith(value), expect: code === 200 ? ok : refused(code) }));
  return [
    { rule: `${items} accepts strings`, path: items, kind: 'legal', cases: tries(200, 'a', longest, '😀'.repeat(16)) },
    {
      rule: `${items} rejects blank items and items that are not strings: 10002`,
      path: items,
      kind: 'illegal',
      cases: tries(10002, 1, true, null, ['a'], { a: 'b' }, '', '  '),
    },
    {
      rule: `${items} rejects NUL characters and unpaired surrogates: 10002`,
      path: items,
      kind: 'illegal',
      cases: tries(10002, 'tag\0', 'tag\ud83d'),
    },
    {
      rule: `${items} rejects more than 64 bytes, regardless of the number of characters: 12009`,
      path: items,
      kind: 'illegal',
      cases: tries(12009, `x${longest}`, `x${'é'.repeat(32)}`, '😀'.repeat(17)),
    },
  ];
};

const effectRows: readonly Row[] = [
  ruleOf(
    path,
    'returns the current tags of the device in sorted order',
    3_051,
    (by) => [by.call(path, { add: ['b', 'a'] }), by.call(path, { add: ['c', 'B', 'b'] })],
    has('B', 'a', 'b', 'c'),
  ),
  ruleOf(
    path,
    '/device/list returns the tags in the order of their code points',
    3_052,
    (by) => [by.call(path, { add: ['\uffee', '😀', 'z', 'é'] }), by.call('/device/list')],
    { code: 200, rows: [{ tags: ['z', 'é', '\uffee', '😀'] }] },
  ),
  ruleOf(
    path,
    'returns the tags in the order of their code points',
    3_053,
    (by) => [by.call(path, { add: ['\uffee', '😀', 'z', 'é'] })],
    has('z', 'é', '\uffee', '😀'),
  ),
  ruleOf(
    path,
    'returns the tags if add, remove and clear are omitted',
    3_054,
    (by) => [by.call(path, { add: ['kept'] }), by.call(path, {}), by.call(path)],
    has('kept'),
  ),
  ruleOf(
    path,
    'remove deletes existing tags and ignores others',
    3_055,
    (by) => [by.call(path, { add: ['a', 'b'] }), by.call(path, { remove: ['a', 'x', 'A'] })],
    has('b'),
  ),
  ruleOf(
    path,
    'removes before it adds: a tag in both lists is kept',
    3_056,
    (by) => [by.call(path, { add: ['a'] }), by.call(path, { remove: ['a', 'b'], add: ['b', 'a'] })],
    has('a', 'b'),
  ),
  ruleOf(
    path,
    'clears before it adds: only the added tags remain',
    3_057,
    (by) => [by.call(path, { add: ['a', 'b'] }), by.call(path, { clear: true, remove: ['c'], add: ['b', 'c'] })],
    has('b', 'c'),
  ),
  ruleOf(
    path,
    'clear alone removes all tags',
    3_058,
    (by) => [by.call(path, { add: ['a', 'b'] }), by.call(path, { clear: true })],
    has(),
  ),
  ruleOf(
    path,
    'clear set to false removes no tags',
    3_059,
    (by) => [by.call(path, { add: ['a'] }), by.call(path, { clear: false, add: ['b'] })],
    has('a', 'b'),
  ),
  ruleOf(
    path,
    'can be repeated',
    3_060,
    (by) => [by.call(path, { add: ['a', 'a'], remove: ['b'] }), by.call(path, { add: ['a', 'a'], remove: ['b'] })],
    has('a'),
  ),
  ruleOf(
    path,
    'a device can have 100 tags',
    3_061,
    (by) => [by.call(path, { add: numbered(60) }), by.call(path, { add: numbered(40, 'u') })],
    has(...[...numbered(60), ...numbered(40, 'u')].sort()),
  ),
  ruleOf(
    path,
    'rejects more than 100 tags on a device: 12005',
    3_062,
    (by) => [by.call(path, { add: numbered(60) }), by.call(path, { add: numbered(41, 'u') })],
    refused(12005, /100/),
  ),
  ruleOf(
    path,
    'a request that is rejected for too many tags changes nothing, including removals',
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
    'cleared and removed tags do not count towards the limit in the same request',
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
    'one invalid tag rejects the whole request',
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
    'stores a tag unchanged: a tag must not be blank, but it is never trimmed',
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
    refuses: { 'a value that is not a boolean': [10002, ...notBoolean] },
  }),
  ...pushTokenRows(path, { add: ['news'] }, 'tagger'),
  ...deviceCallerRows({ path, body: { add: ['by-caller'] }, newUserId: 3_050 }),
  ...effectRows,
  rules(path, 'the error names the invalid field', [
    { call: { path, token: tagger.token, body: { add: ['a', 5] } }, expect: refused(10002, /add\.1/) },
    { call: { path, token: tagger.token, body: { remove: 'a' } }, expect: refused(10002, /remove/) },
  ]),
];
