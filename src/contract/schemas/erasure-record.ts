import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import { NullableInt64, StringEnum, timeField, userIdField } from './fields.ts';

export const erasureRecord = Type.Object(
  {
    erasure_id: Int64({ description: 'Erasure ID.' }),
    user_id: userIdField,
    state: StringEnum(
      ['devices', 'records', 'done'],
      '`devices`: devices of the user are being erased. `records`: the user is being removed from tasks, counters and idempotency keys. `done`: the erasure is complete.',
    ),
    databases_left: Type.Integer({
      description:
        'Number of databases in which devices of the user may be left. It stays above 0 while such a database is unavailable, and in the first 10 minutes.',
    }),
    requested_at: timeField('Time of the request'),
    done_at: NullableInt64('Time at which the erasure was complete, in Unix epoch milliseconds. Null if it is not.'),
  },
  { description: 'The erasure of a user.' },
);

export const exampleErasure = {
  erasure_id: 1,
  user_id: 42,
  state: 'devices',
  databases_left: 1,
  requested_at: 1794700800000,
  done_at: null,
} as const;
