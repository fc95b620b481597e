import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, NullableText } from '../../schemas/fields.ts';

const CURSOR_MAX = 1_024;

export const adminLedgerVerify = {
  method: 'POST',
  path: '/admin/ledger/verify',
  summary: 'Check the invariants of the ledger',
  description:
    "Checks a part of this app's tasks and counters with each call and changes nothing. Examples of invariants: every received notification was sent, a device has one place per task and channel, and a finished task has no open deliveries. The counters must equal the sums of the bits in the ledger. Repeat the call with `next` until it is null.",
  access: 'admin',
  scope: 'manage',
  body: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: CURSOR_MAX,
        pattern: '^[\\w.-]+$',
        description: '`next` of the previous response; blank starts at the beginning.',
      }),
    ),
  }),
  data: Type.Object({
    laws: Type.Array(Type.String(), { description: 'Numbers of the invariants that were checked in this part.' }),
    tasks: Int64({ description: 'Number of tasks whose check was completed by this call.' }),
    slices: Int64({ description: 'Number of slices that were checked.' }),
    places: Int64({ description: 'Number of places (devices in slices) that were checked.' }),
    list: Type.Array(
      Type.Object({
        law: Type.String({ description: 'Number of the invariant.' }),
        what: Type.String({ description: 'Invariant that does not hold.' }),
        task_id: NullableInt64('Push task ID.'),
        shard: Type.Unsafe<number | null>({ type: 'integer', nullable: true, description: 'Shard of the slice.' }),
        slice: Type.Unsafe<number | null>({ type: 'integer', nullable: true, description: 'Number of the slice.' }),
      }),
      { description: 'Violations, at most 20 of each kind; empty if there are none.' },
    ),
    next: NullableText('Send it as `after` to check the next part; null if this was the last part.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the first part',
      body: {},
      data: { laws: ['L1', 'L9'], tasks: 0, slices: 0, places: 0, list: [], next: 't0.0.0.1' },
    },
  ],
} as const satisfies Operation;
