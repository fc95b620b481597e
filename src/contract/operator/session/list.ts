import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { timeField } from '../../schemas/fields.ts';
import { chosenOperatorField } from '../../schemas/operator-record.ts';

export const operatorSessionList = {
  method: 'POST',
  path: '/operator/session/list',
  summary: 'List the sessions of an operator',
  description:
    'Returns the sessions of the operator who is signed in, the latest first, at most 50. A platform operator can choose another operator.',
  access: 'session',
  scope: null,
  appless: true,
  reads: true,
  body: Type.Object({ operator_id: chosenOperatorField }),
  data: Type.Array(
    Type.Object(
      {
        session_id: Int64({ description: 'ID of the session, which you need to end it.' }),
        is_current: Type.Boolean({ description: 'Whether this is the session of the call.' }),
        address: Type.String({ description: 'IP address from which the operator signed in.' }),
        user_agent: Type.String({ description: 'Browser, as it describes itself. At most 200 characters.' }),
        created_at: timeField('Time of the sign-in'),
        last_used_at: timeField('Time of the latest request, exact to about a minute'),
        expires_at: timeField('Time at which the session ends, even if it is used'),
      },
      { description: 'A session.' },
    ),
  ),
  problems: [],
  examples: [
    {
      name: 'one session',
      body: {},
      data: [
        {
          session_id: 5312417711863211,
          is_current: true,
          address: '192.0.2.7',
          user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
          created_at: 1794700800000,
          last_used_at: 1794701400000,
          expires_at: 1794744000000,
        },
      ],
    },
  ],
} as const satisfies Operation;
