import { Type } from 'typebox';
import { chainFaults } from '#src/domain/verification/audit-chain.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableText, StringEnum } from '../../schemas/fields.ts';

const HASH = '[0-9a-f]{64}';

export const adminAuditVerify = {
  method: 'POST',
  path: '/admin/audit/verify',
  summary: 'Verify the audit log',
  description:
    'Computes the hashes of the audit entries of all apps again, and compares them with the stored chain of hashes. It changes nothing. Each call checks up to 1,000 entries. Repeat the call with `next` of the response as `after`, until `next` is null. The check ends at the first entry that does not match. Keep the last `hash` outside the database, and send it as `expect` the next time. Otherwise, an attacker who controls the database could remove the last entries, or compute all hashes again.',
  access: 'admin',
  scope: 'platform',
  reads: true,
  body: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: `^\\d{1,18}\\.${HASH}$`,
        description: 'Value of `next` in the previous response. Blank starts with the oldest entry.',
      }),
    ),
    expect: Type.Optional(
      Type.String({
        pattern: `^${HASH}$`,
        description: 'Hash that the chain must contain: `hash` of an earlier verification.',
      }),
    ),
  }),
  data: Type.Object({
    entries: Int64({ description: 'Number of entries that match.' }),
    pending: Type.Integer({
      description: 'Number of new entries that are not in the chain yet. A worker adds them within two minutes.',
    }),
    hash: NullableText('Hash of the last entry that matches. Null if no entry was checked.'),
    expected_found: Type.Boolean({
      description: 'Whether an entry of this call has the hash `expect`. It must be true for one of the calls.',
    }),
    list: Type.Array(
      Type.Object({
        audit_id: Int64({ description: 'ID of the entry.' }),
        reason: StringEnum(
          chainFaults,
          '`entry-changed`: the entry or its hash was changed. `entry-missing`: the entry was deleted. `not-chained`: the entry was inserted later. `link-broken`: entries before it were deleted with their hashes. `start-missing`: the oldest entries were deleted before 400 days had passed.',
        ),
      }),
      { description: 'First entry that does not match. Empty if all entries match.' },
    ),
    next: NullableText('Value for `after` that checks the next entries. Null if this was the last call.'),
  }),
  problems: [],
  examples: [
    {
      name: 'an audit log without entries',
      body: {},
      data: { entries: 0, pending: 0, hash: null, expected_found: false, list: [], next: null },
    },
  ],
} as const satisfies Operation;
