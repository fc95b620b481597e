import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, pageFields, timeField } from '../../schemas/fields.ts';

export const adminAuditList = {
  method: 'POST',
  path: '/admin/audit/list',
  summary: 'Who did what',
  description:
    'Every read of a secret and every change by an admin token of this app, the latest first, page by page. Kept for 400 days.',
  access: 'admin',
  scope: 'manage',
  body: Type.Object(pageFields),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        at: timeField('When'),
        token_id: Int64({ description: 'ID of the admin token.' }),
        token_name: Type.String({ description: 'What the admin token is for.' }),
        operation: Type.String({ description: 'Path of the operation.' }),
        detail: Type.String({ description: 'What it was about, as JSON; never a secret.' }),
        address: Type.String({ description: 'Where the call came from.' }),
      }),
      { description: 'Calls.' },
    ),
    next: NullableInt64('Send it as `after` for those before; null: there are none.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the latest',
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
