import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { emptyData } from '../../schemas/fields.ts';

export const operatorSessionRevoke = {
  method: 'POST',
  path: '/operator/session/revoke',
  summary: 'End one of your sessions',
  description: 'Ends a session of the operator who is signed in. All processes reject it within five seconds.',
  access: 'session',
  scope: null,
  appless: true,
  audit: ['session_id'],
  revokes: true,
  body: Type.Object({ session_id: Int64({ description: 'ID of the session.' }) }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'one session', body: { session_id: 5312417711863211 }, data: {} }],
} as const satisfies Operation;
