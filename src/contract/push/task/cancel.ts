import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';

export const pushTaskCancel = {
  method: 'POST',
  path: '/push/task/cancel',
  summary: 'Cancel a push task',
  description:
    'Cancels the deliveries that have not been sent yet. These are deliveries to devices that were not tried, that wait for a retry, or whose inbox contains the notification. A delivery in progress may still reach its device, and a delivered notification cannot be recalled. The cancellation is stored before the response is sent, and no delivery starts more than 5 seconds after it. You can repeat the call. A finished task stays unchanged.',
  access: 'token',
  scope: 'push',
  audit: ['task_id'],
  body: Type.Object({ task_id: Int64({ description: 'Push task ID.' }) }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    finished: Type.Boolean({ description: 'True if the task was already finished, so that nothing was cancelled.' }),
    sent: Int64({
      description:
        'Sum of the `sent` counters of all channels at the time of the response. Databases that do not respond are not included.',
    }),
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
