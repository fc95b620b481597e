import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, timeField } from '../../schemas/fields.ts';

export const adminTokenList = {
  method: 'POST',
  path: '/admin/token/list',
  summary: 'List the admin tokens of this app',
  description:
    'Returns the admin tokens that are not revoked, oldest first, at most 1,000. The values of the tokens are not returned, because Carillon stores only their hashes.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  data: Type.Array(
    Type.Object(
      {
        token_id: Int64({ description: 'ID of the token.' }),
        name: Type.String({ description: 'Purpose of the token.' }),
        scopes: Type.Array(Type.String(), { description: 'Scopes of the token.' }),
        group_id: NullableInt64('Group that the token is limited to. Null if it is not limited.'),
        parent: NullableInt64('ID of the admin token that created it. Null if the operator created it.'),
        expire: NullableInt64(
          'Time at which the token expires, in Unix epoch milliseconds. Null if it does not expire.',
        ),
        created_at: timeField('Creation time'),
      },
      { description: 'An admin token.' },
    ),
  ),
  problems: [],
  examples: [
    {
      name: 'all admin tokens',
      data: [
        {
          token_id: 4,
          name: 'shop backend',
          scopes: ['push'],
          group_id: null,
          parent: 1,
          expire: 1826236800000,
          created_at: 1794700800000,
        },
      ],
    },
  ],
} as const satisfies Operation;
