import { adminCallerRows } from './admin-scopes.ts';
import { deviceTokens } from './fixture-devices.ts';
import { type Call, fieldRows, notText, ok, type Row } from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

/** `/admin/audit/verify` without a chain, because no worker runs. Chains are tested in `test/security/audit-chain.test.ts`. */

const path = '/admin/audit/verify';
const HASH = '0f'.repeat(32);
const good: Call = { path, token: deviceTokens.platform, body: {} };
const calls = { path, token: deviceTokens.platform, body: {}, taken: () => ok, blank: () => ok };

export const adminAuditVerifyGroup: readonly Row[] = [
  ...bodyRows([], { ...good, body: { expect: HASH } }),
  ...fieldRows(calls, {
    name: 'after',
    takes: { 'a cursor from an earlier response': [`0.${HASH}`, `999999999999999999.${HASH}`] },
    refuses: {
      'a string that is not a cursor': [10002, '1', HASH, `-1.${HASH}`, `1.${HASH}0`, `1000000000000000000.${HASH}`],
      'a value that is not a string': [10002, ...notText],
    },
  }),
  ...fieldRows(calls, {
    name: 'expect',
    takes: { 'a hash in hexadecimal digits': [HASH] },
    refuses: {
      'a string that is not a hash': [10002, '0f', `${HASH}0f`, HASH.toUpperCase(), "'; --"],
      'a value that is not a string': [10002, ...notText],
    },
  }),
  ...adminCallerRows(good, 'platform'),
  rule(path, 'returns no hash if no entry is in the chain', [], good, {
    code: 200,
    data: { entries: 0, hash: null, expected_found: false, next: null },
    rows: [],
  }),
];
