import { deviceCallerRows, pushTokenRows } from './device-callers.ts';
import { inherited, owners } from './fixture-devices.ts';
import { type Expect, fieldRows, type Row, refused } from './row.ts';
import { bodyRows, rules } from './user-calls.ts';

/**
 * These rows send no notifications, so no receipt is counted. Receipts that are counted are tested in `test/flows/`.
 */

const path = '/device/receipt';
const { reporter, former } = owners;
const good = { list: ['115258093993985.17.3'] };
const none: Expect = { code: 200, data: { received: 0 } };
const report = (list: unknown) => ({ path, token: reporter.token, body: { list } });
const items = `${path} body.list[]`;
const itemTries = (expect: Expect, ...values: readonly unknown[]) =>
  values.map((value) => ({ call: report([good.list[0], value]), expect }));

/** Strings that are not references, or whose numbers are too large. */
const strange = [
  'x',
  '1',
  '1.2',
  '1.2.3.4',
  '-1.2.3',
  '1.4096.3',
  '1.2.2147483648',
  '9223372036854775807.1.1',
  '9999999999999999.4095.2147483647',
  '1e3.1.1',
  '١.١.١',
  ' 1.2.3 ',
  "1.2.3'; drop table slices",
];

export const deviceReceiptGroup: readonly Row[] = [
  ...bodyRows([], { path, token: reporter.token, body: good }, none),
  ...fieldRows(
    { path, token: reporter.token, body: good, taken: () => none },
    {
      name: 'list',
      takes: {
        'up to 100 references': [good.list, Array.from({ length: 100 }, (_, i) => `${i}.1.1`)],
        'duplicate references': [new Array(100).fill('1.1.1')],
      },
      refuses: {
        'a value that is not a list': [10002, 1, true, 'x', { a: 'x' }],
        'more than 100 items, including duplicates': [12005, new Array(101).fill('1.1.1')],
      },
    },
  ),
  ...fieldRows(
    { path, token: reporter.token, body: good, taken: () => none, blank: () => none },
    {
      name: 'event',
      takes: { 'received and clicked': ['received', 'clicked'] },
      refuses: { 'other values': [10002, 'displayed', 'Clicked', 1, true, ['clicked'], { a: 'clicked' }] },
    },
  ),
  {
    rule: `${items} accepts strings and ignores those that are not references`,
    path: items,
    kind: 'legal',
    cases: itemTries(none, ...strange),
  },
  {
    rule: `${items} rejects blank items and items that are not strings: 10002`,
    path: items,
    kind: 'illegal',
    cases: itemTries(refused(10002), 1, true, null, ['1.1.1'], { a: 'b' }, '', '  '),
  },
  {
    rule: `${items} rejects NUL characters and unpaired surrogates: 10002`,
    path: items,
    kind: 'illegal',
    cases: itemTries(refused(10002), '1.1.1\0', '1.1.1\ud83d'),
  },
  {
    rule: `${items} rejects more than 64 characters: 12009`,
    path: items,
    kind: 'illegal',
    cases: itemTries(refused(12009), 'x'.repeat(65)),
  },
  ...pushTokenRows(path, good, 'reporter'),
  ...deviceCallerRows({ path, body: good, newUserId: 3_110, formerOwner: none }),
  rules(path, 'a former user cannot set push_token to the device: 12008', [
    { call: { path, token: former.token, body: { ...good, push_token: former.pushToken } }, expect: refused(12008) },
    { call: { path, token: former.token, body: { ...good, push_token: inherited.pushToken } }, expect: refused(12008) },
  ]),
];
