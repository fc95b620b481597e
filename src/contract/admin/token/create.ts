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
    'Creates an admin token of this app. It cannot have more scopes or a longer lifetime than the token that creates it. The token is returned only once; only its hash is stored.',
  access: 'admin',
  scope: 'manage',
  audit: ['name', 'scopes', 'days'],
  auditResultField: 'token_id',
  body: Type.Object({
    name: nameField('Purpose of the token.'),
    scopes: scopesField,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Days until the token expires. Blank means never, unless the token that creates it expires.',
      }),
    ),
  }),
  data: Type.Object({
    token_id: Int64({ description: 'ID of the token, required to revoke it.' }),
    token: Type.String({ description: 'The token. It is not shown again.' }),
    expire: NullableInt64('Expiry time, Unix epoch milliseconds; null if it never expires.'),
  }),
  problems: ['list-too-long'],
  examples: [
    {
      name: 'for a backend that sends notifications',
      body: { name: 'shop backend', scopes: ['push'], days: 365 },
      data: { token_id: 4, token: 'ca_23bT5wswevLgChhtxwx303Hi18yisklmes74lWtEzT2NOpay1', expire: 1826236800000 },
    },
  ],
} as const satisfies Operation;
