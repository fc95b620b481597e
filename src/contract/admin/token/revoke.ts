import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminTokenRevoke = {
  method: 'POST',
  path: '/admin/token/revoke',
  summary: 'Revoke an admin token',
  description: 'All processes reject the token within five seconds. A token can revoke itself.',
  access: 'admin',
  scope: 'manage',
  audit: ['token_id'],
  body: Type.Object({ token_id: Int64({ description: 'ID of the token.' }) }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'one token', body: { token_id: 4 }, data: {} }],
} as const satisfies Operation;
