import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, nameField } from '../../schemas/fields.ts';
import { scopesField } from '../../schemas/scopes-field.ts';

export const adminTokenCreate = {
  method: 'POST',
  path: '/admin/token/create',
  summary: 'Make an admin token',
  description:
    'Makes an admin token of this app, with no more scopes than the token that makes it and no longer life. The token is shown this once; only its hash is kept.',
  access: 'admin',
  scope: 'manage',
  audit: ['name', 'scopes', 'days'],
  auditResultField: 'token_id',
  body: Type.Object({
    name: nameField('What it is for.'),
    scopes: scopesField,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Days until it expires; blank: it does not, unless the token that makes it does.',
      }),
    ),
  }),
  data: Type.Object({
    token_id: Int64({ description: 'ID of the token, for revoking it.' }),
    token: Type.String({ description: 'The token. It is not shown again.' }),
    expire: NullableInt64('When it expires, Unix epoch milliseconds; null: never.'),
  }),
  problems: ['list-too-long'],
  examples: [
    {
      name: 'for a backend that notifies',
      body: { name: 'shop backend', scopes: ['push'], days: 365 },
      data: { token_id: 4, token: 'ca_23bT5wswevLgChhtxwx303Hi18yisklmes74lWtEzT2NOpay1', expire: 1826236800000 },
    },
  ],
} as const satisfies Operation;
