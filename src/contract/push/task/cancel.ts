import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';

export const pushTaskCancel = {
  method: 'POST',
  path: '/push/task/cancel',
  summary: 'Cancel a push task',
  description:
    'Cancels deliveries that are not sent yet: devices that were not tried, that wait for a retry, or that have the notification in their inbox. Deliveries in progress may still be received, and received notifications cannot be recalled. Cancelling twice is harmless, and a finished task stays unchanged. The response is sent after the cancellation is committed; every worker applies it from its next step on.',
  access: 'token',
  scope: 'push',
  audit: ['task_id'],
  body: Type.Object({ task_id: Int64({ description: 'Push task ID.' }) }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    finished: Type.Boolean({ description: 'Whether the task was already finished, so that nothing was cancelled.' }),
    sent: Int64({ description: 'Number of notifications sent before the cancellation, over all channels.' }),
  }),
  problems: [],
  examples: [
    {
      name: 'one task',
      body: { task_id: 115258093993985 },
      data: { task_id: 115258093993985, finished: false, sent: 1200 },
    },
  ],
} as const satisfies Operation;
