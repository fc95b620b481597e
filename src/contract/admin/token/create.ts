import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, nameField } from '../../schemas/fields.ts';
import { scopesField } from '../../schemas/scopes-field.ts';

export const adminTokenCreate = {
  method: 'POST',
  path: '/admin/token/create',
  summary: 'Create an admin token',
  description:
    'The new token belongs to this app. It cannot have more scopes or a longer lifetime than the token that creates it. It is returned only once, because Carillon stores only its hash.',
  access: 'admin',
  scope: 'manage',
  audit: ['name', 'scopes', 'days', 'group_id'],
  auditResultField: 'token_id',
  body: Type.Object({
    name: nameField('Purpose of the token.'),
    scopes: scopesField,
    group_id: Type.Optional(
      Int64({ description: 'Group that the token is limited to. It then always acts as an admin of this group.' }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description:
          'Number of days until the token expires. Blank means that it expires with the token that creates it, or never.',
      }),
    ),
  }),
  data: Type.Object({
    token_id: Int64({ description: 'ID of the token, which you need to revoke it.' }),
    token: Type.String({ description: 'Admin token. It is not shown again.' }),
    expire: NullableInt64('Time at which the token expires, in Unix epoch milliseconds. Null if it does not expire.'),
  }),
  problems: ['list-too-long', 'no-such-group'],
  examples: [
    {
      name: 'for a backend that sends notifications',
      body: { name: 'shop backend', scopes: ['push'], days: 365 },
      data: { token_id: 4, token: 'ca_23bT5wswevLgChhtxwx303Hi18yisklmes74lWtEzT2NOpay1', expire: 1826236800000 },
    },
  ],
} as const satisfies Operation;
