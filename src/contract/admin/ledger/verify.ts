import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, NullableText } from '../../schemas/fields.ts';

const CURSOR_MAX = 1_024;

export const adminLedgerVerify = {
  method: 'POST',
  path: '/admin/ledger/verify',
  summary: 'Hold the ledger to its laws',
  description:
    "Recomputes what must hold of this app's tasks and counters, a part of them with each call: what was received was sent, a device has one place per task and channel, a finished task has nothing open, the counters are the sums of the single bits, and more. Changes nothing. Go on from `next` until it is null.",
  access: 'admin',
  scope: 'manage',
  body: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: CURSOR_MAX,
        pattern: '^[\\w.-]+$',
        description: '`next` of the answer before; blank begins at the start.',
      }),
    ),
  }),
  data: Type.Object({
    laws: Type.Array(Type.String(), { description: 'The laws that this part was held to, by their numbers.' }),
    tasks: Int64({ description: 'Tasks whose last part this was.' }),
    slices: Int64({ description: 'Slices that were looked at.' }),
    places: Int64({ description: 'Places of devices that were looked at.' }),
    list: Type.Array(
      Type.Object({
        law: Type.String({ description: 'Its number.' }),
        what: Type.String({ description: 'What does not hold.' }),
        task_id: NullableInt64('Push task ID.'),
        shard: Type.Unsafe<number | null>({ type: 'integer', nullable: true, description: 'Shard of the slice.' }),
        slice: Type.Unsafe<number | null>({ type: 'integer', nullable: true, description: 'Number of the slice.' }),
      }),
      { description: 'What is broken, at most 20 of each kind; empty: all is well.' },
    ),
    next: NullableText('Send it as `after` for the part that follows; null: this was the last.'),
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
