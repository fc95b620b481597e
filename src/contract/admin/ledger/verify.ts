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
    'Checks the tasks and counters of this app for violated invariants, and changes nothing. For example, every received notification must have been sent, and the counters must equal the sums in the ledger. Each call checks one part. Repeat the call with `next` of the response as `after`, until `next` is null.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: CURSOR_MAX,
        pattern: '^[\\w.-]+$',
        description: 'Value of `next` in the previous response. Blank checks the first part.',
      }),
    ),
  }),
  data: Type.Object({
    laws: Type.Array(Type.String(), {
      description: 'IDs of the invariants that were checked in this part, such as `L1`.',
    }),
    tasks: Int64({ description: 'Number of tasks whose check this call completed.' }),
    slices: Int64({ description: 'Number of batches (slices) that were checked.' }),
    places: Int64({ description: 'Number of entries (places) that were checked. An entry is one device in a batch.' }),
    list: Type.Array(
      Type.Object({
        law: Type.String({ description: 'ID of the violated invariant.' }),
        what: Type.String({ description: 'Description of the violation.' }),
        task_id: NullableInt64('Task ID. Null if the violation does not concern a task.'),
        bucket: Type.Unsafe<number | null>({
          type: 'integer',
          nullable: true,
          description: 'Bucket of the batch. Null if the violation does not concern a batch.',
        }),
        slice: Type.Unsafe<number | null>({
          type: 'integer',
          nullable: true,
          description: 'Number of the batch. Null if the violation does not concern a batch.',
        }),
      }),
      { description: 'Violations, at most 20 of each kind. Empty if there are none.' },
    ),
    next: NullableText('Value for `after` that checks the next part. Null if this was the last part.'),
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
