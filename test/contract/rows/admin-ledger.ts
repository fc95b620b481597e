import { adminCallerRows } from './admin-scopes.ts';
import { createAppCall, inApp } from './fixture-devices.ts';
import { tokens } from './fixtures.ts';
import { type Call, type Expect, fieldRows, notText, ok, type Row } from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

/**
 * `/admin/ledger/verify` without broken entries. Broken entries are tested in
 * `test/flows/operator/ledger-verify.test.ts`.
 */

const path = '/admin/ledger/verify';
const good: Call = { path, token: tokens.manage, body: {} };
const first: Expect = { code: 200, data: { tasks: 0, slices: 0, places: 0 }, rows: [], text: /"next":"[\w.-]+"/ };

export const adminLedgerGroup: readonly Row[] = [
  ...bodyRows([], { ...good, body: { after: 't0.0.0.1' } }),
  ...fieldRows(
    { path, token: tokens.manage, body: {}, taken: () => ok, blank: () => first },
    {
      name: 'after',
      takes: { 'a cursor from an earlier response': ['t0.0.0.1', 't115258093993985.63.1.2', 'k0.WyIiLCIiXQ'] },
      refuses: {
        'a string that is not a cursor': [
          10002,
          't',
          't1.4096.0.1',
          't1.1.1.1',
          'k',
          'kWyIiLCIiXQ',
          'k0.AAAA',
          'k4096.WyIiLCIiXQ',
          'all',
          't0.0.0.1 ',
          "'; --",
        ],
        'a value that is not a string': [10002, ...notText],
        'more than 1,024 characters': [12009, 'k'.repeat(1_025)],
      },
    },
  ),
  ...adminCallerRows(good, 'manage'),
  rule(path, 'starts with the idempotency keys and the inboxes', [], good, { ...first, text: /"laws":\["L1","L9"\]/ }),
  rule(
    path,
    'continues with tasks and ends after the last task',
    [
      createAppCall('verify-app'),
      inApp('verify-app', '/push/notify', { audience: 'all', message: { body: 'hello' } }),
      inApp('verify-app', '/push/notify', { audience: { tag: ['t'] }, message: { body: 'hello' } }),
    ],
    inApp('verify-app', path, { after: 't0.0.0.1' }),
    { code: 200, data: { tasks: 2, slices: 0, places: 0, next: null }, rows: [], text: /"laws":\["L2","L3"/ },
  ),
];
