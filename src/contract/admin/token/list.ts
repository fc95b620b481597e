import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, timeField } from '../../schemas/fields.ts';

export const adminTokenList = {
  method: 'POST',
  path: '/admin/token/list',
  summary: "This app's admin tokens",
  description:
    'Those that are not revoked, in the order in which they were made, at most 1,000. The tokens themselves are not known any more.',
  access: 'admin',
  scope: 'manage',
  data: Type.Array(
    Type.Object(
      {
        token_id: Int64({ description: 'ID of the token.' }),
        name: Type.String({ description: 'What it is for.' }),
        scopes: Type.Array(Type.String(), { description: 'Scopes.' }),
        expire: NullableInt64('When it expires, Unix epoch milliseconds; null: never.'),
        created_at: timeField('When it was made'),
      },
      { description: 'An admin token.' },
    ),
  ),
  problems: [],
  examples: [
    {
      name: 'all',
      data: [{ token_id: 4, name: 'shop backend', scopes: ['push'], expire: 1826236800000, created_at: 1794700800000 }],
    },
  ],
} as const satisfies Operation;
