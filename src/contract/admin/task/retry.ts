import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';

export const adminTaskRetry = {
  method: 'POST',
  path: '/admin/task/retry',
  summary: 'Retry a quarantined task',
  description:
    'Makes the quarantined work of a task due. A worker processes it within seconds. If it fails four more times, it is quarantined again. Entries that are finished are not sent again. `/admin/task/quarantined` lists these tasks.',
  access: 'admin',
  scope: 'manage',
  audit: ['task_id'],
  body: Type.Object({ task_id: Int64({ description: 'Push task ID.' }) }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    rows: Type.Integer({ description: 'Number of rows that are retried. 0 if nothing was quarantined.' }),
    incomplete: Type.Boolean({
      description: 'Whether a database was unavailable, so that its rows are not retried. Repeat the call later.',
    }),
  }),
  problems: ['no-such-task'],
  examples: [
    {
      name: 'one task',
      body: { task_id: 115258093993985 },
      data: { task_id: 115258093993985, rows: 1, incomplete: false },
    },
  ],
} as const satisfies Operation;
