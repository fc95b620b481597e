import { devices, users } from './fixtures.ts';
import { good, NOTIFY, notify, stored, withAudience } from './push-notify.ts';
import {
  absent,
  blanks,
  type Expect,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  notText,
  type Row,
  refused,
  row,
  withField,
} from './row.ts';

const about = `${NOTIFY} body.audience`;
const ann = users.ann.userId;

interface Key {
  readonly key: 'tag' | 'alias' | 'user_id' | 'push_token';
  /** Returns the n-th item of a list. */
  readonly item: (n: number) => unknown;
  /** Returns the audience that is stored for a list. */
  readonly stored: (list: readonly unknown[]) => unknown;
  readonly takes: Readonly<Record<string, readonly unknown[]>>;
  readonly refuses: Readonly<Record<string, readonly [code: number, ...items: readonly unknown[]]>>;
}

const keys: readonly Key[] = [
  ...(['tag', 'alias'] as const).map((key) => ({
    key,
    item: (n: number) => `${key}-${n}`,
    stored: (names: readonly unknown[]) => ({ kind: key, names }),
    takes: {
      '64 bytes of UTF-8': ['x'.repeat(64), 'é'.repeat(32), '😀'.repeat(16)],
      'a string without changes, including its spaces': [' vip ', 'a,b', '"', '{}'],
    },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'the NUL character': [10002, 'x\0'],
      '65 bytes of UTF-8': [12009, 'x'.repeat(65), `x${'é'.repeat(32)}`],
    } as const,
  })),
  {
    key: 'user_id',
    item: (n) => n + 1,
    stored: (userIds) => ({ kind: 'user_id', userIds }),
    takes: {
      'any int64, with every digit': [0, -1, 2 ** 53, 9_007_199_254_740_993n, INT64_MAX, INT64_MIN],
    },
    refuses: { 'a value that is not an int64': [10002, ...notInt64] },
  },
  {
    key: 'push_token',
    item: (n) => `push-token-${n}`,
    stored: (pushTokens) => ({ kind: 'push_token', pushTokens }),
    takes: { 'up to 128 characters': [devices.ann.pushToken, 'x', 'x'.repeat(128)] },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'the NUL character': [10002, 'x\0'],
      'more than 128 characters': [12009, 'x'.repeat(129)],
    },
  },
];

const items = <T>(n: number, item: (n: number) => T): T[] => Array.from({ length: n }, (_, i) => item(i));

function rows(kind: Row['kind'], path: string, rule: string, audiences: readonly unknown[], expect: Expect): Row {
  const cases = audiences.map((audience) => ({ call: withAudience(audience), expect }));
  return { rule: `${path} ${rule}`, path, kind, cases };
}

function keyRows({ key, item, stored: toStored, takes, refuses }: Key): Row[] {
  const path = `${about}.${key}`;
  const lists = (kind: Row['kind'], rule: string, given: readonly (readonly unknown[])[]): Row => ({
    rule: `${path} ${rule}`,
    path,
    kind,
    cases: given.map((list) => ({ call: withAudience({ [key]: list }), expect: stored({ audience: toStored(list) }) })),
  });
  const other = key === 'user_id' ? { tag: ['t'] } : { user_id: [ann] };
  const otherStored = key === 'user_id' ? { kind: 'tag', names: ['t'] } : { kind: 'user_id', userIds: [ann] };
  return [
    lists('legal', 'accepts a list of one item', [[item(0)]]),
    lists('legal', 'accepts a list of 500 items', [items(500, item)]),
    lists('legal', 'accepts duplicates', [[item(0), item(0)]]),
    rows(
      'blank',
      path,
      'is ignored if it is blank',
      blanks.map((blank) => withField(other, key, blank)),
      stored({ audience: otherStored }),
    ),
    rows(
      'illegal',
      path,
      'is rejected if it is blank and the only key: 10002',
      [{ [key]: [] }, { [key]: null }],
      refused(10002),
    ),
    rows('illegal', path, 'rejects a list of 501 items: 12005', [{ [key]: items(501, item) }], refused(12005)),
    rows(
      'illegal',
      path,
      'counts duplicates towards the limit: 12005',
      [{ [key]: items(501, () => item(0)) }],
      refused(12005),
    ),
    rows(
      'illegal',
      path,
      'rejects values that are not lists: 10002',
      [{ [key]: item(0) }, { [key]: { 0: item(0) } }, { [key]: true }],
      refused(10002),
    ),
    rows(
      'illegal',
      path,
      'rejects a second key: 10002',
      [{ ...other, [key]: [item(0)] }],
      refused(10002, /exactly one/),
    ),
    ...Object.entries(takes).map(
      ([what, given]): Row => ({
        rule: `${path}[] accepts ${what}`,
        path: `${path}[]`,
        kind: 'legal',
        cases: given.map((one) => ({
          call: withAudience({ [key]: [one] }),
          expect: stored({ audience: toStored([one]) }),
        })),
      }),
    ),
    rows(
      'illegal',
      `${path}[]`,
      'must not be blank: 10002',
      [null, '', ' \t', [], {}].map((blank) => ({ [key]: [item(0), blank] })),
      refused(10002),
    ),
    ...Object.entries(refuses).map(([what, [code, ...given]]) =>
      rows(
        'illegal',
        `${path}[]`,
        `rejects ${what}: ${code}`,
        given.map((one) => ({ [key]: [item(0), one] })),
        refused(code),
      ),
    ),
  ];
}

export const pushNotifyAudienceGroup: readonly Row[] = [
  row('legal', about, `${about} accepts the string all`, withAudience('all'), stored({ audience: { kind: 'all' } })),
  row(
    'legal',
    about,
    `${about} accepts an object with one key`,
    withAudience({ user_id: [ann] }),
    stored({ audience: { kind: 'user_id', userIds: [ann] } }),
  ),
  {
    rule: `${about} must not be blank`,
    path: about,
    kind: 'blank',
    cases: blanks.map((blank) => ({
      call: notify(withField(good, 'audience', blank)),
      expect: refused(10002, /audience/),
    })),
  },
  rows('illegal', about, 'rejects other strings: 10002', ['everyone', 'ALL', ' all', 'tag'], refused(10002)),
  rows(
    'illegal',
    about,
    'rejects values that are neither strings nor objects: 10002',
    [1, true, ['all'], [ann]],
    refused(10002),
  ),
  rows(
    'illegal',
    about,
    'rejects an object with only blank keys: 10002',
    [{ tag: [], alias: null, user_id: '', push_token: {} }],
    refused(10002, /audience/),
  ),
  rows(
    'illegal',
    about,
    'rejects an object with only unknown keys: 10002',
    [{ colour: ['red'] }, { all: true }],
    refused(10002),
  ),
  rows(
    'illegal',
    about,
    'rejects all four keys together: 10002',
    [{ tag: ['t'], alias: ['a'], user_id: [1], push_token: ['p'] }],
    refused(10002, /exactly one/),
  ),
  rows(
    'rule',
    about,
    'ignores unknown keys',
    [{ user_id: [ann], colour: ['red'] }],
    stored({ audience: { kind: 'user_id', userIds: [ann] } }),
  ),
  rows('rule', about, 'creates a task even if no device matches', [{ tag: ['a tag of no device'] }], {
    code: 200,
    task: {},
  }),
  ...keys.flatMap(keyRows),
  row(
    'rule',
    about,
    `${about} is reported as required if it is missing`,
    notify(withField(good, 'audience', absent)),
    refused(10002, /audience is required/),
  ),
];
