import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, timeField } from '../../schemas/fields.ts';

export const adminTokenList = {
  method: 'POST',
  path: '/admin/token/list',
  summary: 'List the admin tokens of this app',
  description:
    'Returns at most 1,000 tokens that are not revoked, ordered by creation. The tokens themselves are not stored, so they are not returned.',
  access: 'admin',
  scope: 'manage',
  data: Type.Array(
    Type.Object(
      {
        token_id: Int64({ description: 'ID of the token.' }),
        name: Type.String({ description: 'Purpose of the token.' }),
        scopes: Type.Array(Type.String(), { description: 'Scopes.' }),
        expire: NullableInt64('Expiry time, Unix epoch milliseconds; null if it never expires.'),
        created_at: timeField('Creation time'),
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
