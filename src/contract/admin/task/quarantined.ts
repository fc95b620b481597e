import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { StringEnum, timeField } from '../../schemas/fields.ts';

export const adminTaskQuarantined = {
  method: 'POST',
  path: '/admin/task/quarantined',
  summary: 'List quarantined tasks',
  description:
    'Returns up to 1,000 tasks of this app that have quarantined work, starting with the last failure. Work is quarantined after five failures that only it caused, and is not retried. Fix the cause, and call `/admin/task/retry`. To give the task up, call `/push/task/cancel`.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        task_id: Int64({ description: 'Push task ID.' }),
        kind: StringEnum(
          ['tasks', 'expansions', 'slices'],
          'Kind of the work: `tasks` (the task itself), `expansions` (parts of the audience) or `slices` (batches of devices).',
        ),
        rows: Type.Integer({ description: 'Number of quarantined rows of this kind.' }),
        error: Type.String({ description: 'Error of the last failure, at most 500 characters.' }),
        failed_at: timeField('Time of the last failure'),
      }),
      { description: 'Quarantined work, by task and kind. Empty if there is none.' },
    ),
    incomplete: Type.Boolean({
      description: 'Whether a database was unavailable, so that work can be missing. Repeat the call later.',
    }),
  }),
  problems: [],
  examples: [
    {
      name: 'one batch',
      data: {
        list: [
          {
            task_id: 115258093993985,
            kind: 'slices',
            rows: 1,
            error: 'Error: The stored message is not valid.',
            failed_at: 1794705400000,
          },
        ],
        incomplete: false,
      },
    },
  ],
} as const satisfies Operation;
