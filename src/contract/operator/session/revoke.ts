import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { emptyData } from '../../schemas/fields.ts';
import { chosenOperatorField } from '../../schemas/operator-record.ts';

export const operatorSessionRevoke = {
  method: 'POST',
  path: '/operator/session/revoke',
  summary: 'End sessions of an operator',
  description:
    'Ends a session of the operator who is signed in. A platform operator can choose another operator. With `operator_id` and without `session_id`, all sessions of the operator end, except the session of the call. All processes reject an ended session within five seconds.',
  access: 'session',
  scope: null,
  appless: true,
  audit: ['operator_id', 'session_id'],
  revokes: true,
  body: Type.Object({
    session_id: Type.Optional(Int64({ description: 'ID of the session. Blank ends all sessions of `operator_id`.' })),
    operator_id: chosenOperatorField,
  }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'one session', body: { session_id: 5312417711863211 }, data: {} }],
} as const satisfies Operation;
