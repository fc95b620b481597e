import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminTokenRevoke = {
  method: 'POST',
  path: '/admin/token/revoke',
  summary: 'Revoke an admin token',
  description:
    'Also revokes all admin tokens that were created with this token, and all access tokens that these admin tokens created with `/admin/user/token`. All processes reject them within five seconds. A token can revoke itself, but not a token with scopes that it does not have.',
  access: 'admin',
  scope: 'manage',
  audit: ['token_id', 'keep_user_tokens'],
  revokes: true,
  body: Type.Object({
    token_id: Int64({ description: 'ID of the token.' }),
    keep_user_tokens: Type.Optional(
      Type.Boolean({
        description:
          'True if access tokens stay valid, for example when a backend changes its admin token. Default: false.',
      }),
    ),
  }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'one token', body: { token_id: 4 }, data: {} }],
} as const satisfies Operation;
