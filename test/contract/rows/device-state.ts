import { deviceCallerRows, pushTokenRows } from './device-callers.ts';
import { ruleOf, saying } from './device-calls.ts';
import { logIn, owners } from './fixture-devices.ts';
import { absent, blanks, type Call, type Case, fieldRows, notInteger, notText, ok, type Row, refused } from './row.ts';
import { bodyRows, notStorable } from './user-calls.ts';

const path = '/device/state';
const { reporter } = owners;
const fields = { path, token: reporter.token, body: {}, taken: () => ok, blank: () => ok };
const good = { provider: 2, error: '907135000' };
const report = { client: 'android 0.1.0', notifications: 'denied', vendor_errors: [good] };

const sent = (item: unknown): Call => ({ path, token: reporter.token, body: { vendor_errors: [good, item] } });

const casesOf = (items: readonly unknown[], code: number): Case[] =>
  items.map((item) => ({ call: sent(item), expect: code === 200 ? ok : refused(code) }));

/** Returns the rows about accepted and rejected items. `about` is the path of the item or of one of its fields. */
function itemRows(
  about: string,
  legal: readonly unknown[],
  illegal: Readonly<Record<string, readonly [code: number, ...items: readonly unknown[]]>>,
): Row[] {
  return [
    { rule: `${about} accepts valid values`, path: about, kind: 'legal', cases: casesOf(legal, 200) },
    ...Object.entries(illegal).map(([what, [code, ...items]]): Row => {
      return { rule: `${about} rejects ${what}: ${code}`, path: about, kind: 'illegal', cases: casesOf(items, code) };
    }),
  ];
}

const blankItemRow = (about: string, itemOf: (value: unknown) => unknown): Row => {
  return { rule: `${about} must not be blank`, path: about, kind: 'blank', cases: casesOf(blanks.map(itemOf), 10002) };
};

const ITEMS = `${path} body.vendor_errors[]`;
const withProvider = (provider: unknown) => (provider === absent ? { error: 'x' } : { provider, error: 'x' });
const withError = (error: unknown) => (error === absent ? { provider: 7 } : { provider: 7, error });

const fieldGroup: readonly Row[] = [
  ...bodyRows([], { path, token: reporter.token, body: report }),
  ...fieldRows(fields, {
    name: 'client',
    takes: { 'up to 64 bytes': ['android 0.1.0', 'x'.repeat(64), '安'.repeat(21)] },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'NUL characters and unpaired surrogates': [10002, ...notStorable],
      'more than 64 bytes': [12009, 'x'.repeat(65), '安'.repeat(22)],
    },
  }),
  ...fieldRows(fields, {
    name: 'notifications',
    takes: { 'both values': ['allowed', 'denied'] },
    refuses: { 'any other value': [10002, 'Allowed', 'granted', ' denied', ...notText] },
  }),
  ...fieldRows(fields, {
    name: 'vendor_errors',
    takes: { 'up to 10 errors': [[good], new Array(10).fill(good)] },
    refuses: {
      'a value that is not a list': [10002, 1, true, 'none', good],
      'more than 10 errors': [12005, new Array(11).fill(good)],
    },
  }),
  ...itemRows(ITEMS, [{ ...good, code: 1 }], {
    'a value that is not an object': [10002, 1, true, 'text', null, [good]],
  }),
  blankItemRow(`${ITEMS}.provider`, withProvider),
  ...itemRows(`${ITEMS}.provider`, [1, 2, 10].map(withProvider), {
    'an unknown vendor': [10002, ...[0, 11, -1].map(withProvider)],
    'a value that is not an integer': [10002, ...notInteger.map(withProvider)],
  }),
  blankItemRow(`${ITEMS}.error`, withError),
  ...itemRows(`${ITEMS}.error`, ['x', '安'.repeat(200)].map(withError), {
    'a value that is not a string': [10002, ...notText.map(withError)],
    'NUL characters and unpaired surrogates': [10002, ...notStorable.map(withError)],
    'more than 200 characters': [12009, withError('x'.repeat(201))],
  }),
  ...pushTokenRows(path, report, 'reporter'),
  ...deviceCallerRows({ path, body: report, newUserId: 3_120 }),
];

/** Expects one device with this state. */
const stateOf = (state: string) => ({ ...saying(new RegExp(`"state":${state}`)), rows: [{}] });
const reportedState =
  '\\{"client":"android 0.1.0","notifications":"denied","vendor_errors":\\[\\{"provider":2,"error":"907135000"\\}\\],"reported_at":\\d{13}\\}';
const allowedState = '\\{"client":null,"notifications":"allowed","vendor_errors":\\[\\],"reported_at":\\d{13}\\}';
const emptyState = '\\{"client":null,"notifications":null,"vendor_errors":\\[\\],"reported_at":\\d{13}\\}';

const effectRows: readonly Row[] = [
  ruleOf(
    path,
    'the state of a device is null before the first report',
    3_121,
    (by) => [by.call('/device/list')],
    stateOf('null'),
  ),
  ruleOf(
    path,
    '/device/list returns the report',
    3_122,
    (by) => [by.call(path, report), by.call('/device/list')],
    stateOf(reportedState),
  ),
  ruleOf(
    path,
    'a report replaces the earlier one, and removes the fields that it omits',
    3_123,
    (by) => [by.call(path, report), by.call(path, { notifications: 'allowed' }), by.call('/device/list')],
    stateOf(allowedState),
  ),
  ruleOf(
    path,
    'an empty report removes every field',
    3_124,
    (by) => [by.call(path, report), by.call(path), by.call('/device/list')],
    stateOf(emptyState),
  ),
  ruleOf(
    path,
    'a logout deletes the report',
    3_125,
    (by) => [
      by.call(path, report),
      by.call('/token/logout'),
      { path: '/admin/device/find', body: { device_guid: 'phone-of-3125' } },
    ],
    stateOf('null'),
  ),
  ruleOf(
    path,
    'a login on a device that is logged in keeps the report',
    3_126,
    (by) => [by.call(path, report), logIn(3_126, 'phone-of-3126'), by.call('/device/list')],
    stateOf(reportedState),
  ),
];

export const deviceStateGroup: readonly Row[] = [...fieldGroup, ...effectRows];
