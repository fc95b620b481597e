import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, pageFields, timeField } from '../../schemas/fields.ts';

export const adminAuditList = {
  method: 'POST',
  path: '/admin/audit/list',
  summary: 'List audit entries',
  description:
    'Returns every read of a secret and every change made with an admin token of this app, latest first, in pages. Entries are kept for 400 days.',
  access: 'admin',
  scope: 'manage',
  body: Type.Object(pageFields),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        at: timeField('Time'),
        token_id: Int64({ description: 'ID of the admin token.' }),
        token_name: Type.String({ description: 'Name of the admin token.' }),
        operation: Type.String({ description: 'Path of the operation.' }),
        detail: Type.String({ description: 'Request fields that describe the call, as JSON; never a secret.' }),
        address: Type.String({ description: 'IP address of the caller.' }),
      }),
      { description: 'Calls.' },
    ),
    next: NullableInt64('Send it as `after` to get older entries; null if there are none.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the latest entry',
      body: { limit: 1 },
      data: {
        list: [
          {
            at: 1794700800000,
            token_id: 1,
            token_name: 'operator',
            operation: '/push/certificate',
            detail: '{"provider":1,"environment":1}',
            address: '127.0.0.1',
          },
        ],
        next: 12,
      },
    },
  ],
} as const satisfies Operation;
