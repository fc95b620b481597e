import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';

export const pushTaskCancel = {
  method: 'POST',
  path: '/push/task/cancel',
  summary: 'Cancel a push task',
  description:
    'Cancels the deliveries that have not been sent yet. These are deliveries to devices that were not tried, that wait for a retry, or whose inbox contains the notification. A delivery in progress may still reach its device. With `recall`, workers also remove delivered notifications from devices, for up to 24 hours, on channels that support it. `/push/task/report` returns the results of the recall. The cancellation is stored before the response is sent, and no delivery starts more than 5 seconds after it. You can repeat the call. A finished task stays unchanged, but it can be recalled.',
  access: 'token',
  scope: 'push',
  audit: ['task_id', 'recall'],
  body: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    recall: Type.Optional(
      Type.Boolean({
        description: 'True to also remove delivered notifications from devices whose user has not opened them.',
      }),
    ),
  }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    finished: Type.Boolean({ description: 'True if the task was already finished, so that nothing was cancelled.' }),
    sent: Int64({
      description:
        'Sum of the `sent` counters of all channels at the time of the response. Databases that do not respond are not included.',
    }),
    recall: Type.Optional(
      Type.Array(
        Type.Object({
          channel: Type.String({ description: 'Name of the channel, such as `huawei`.' }),
          sent: Int64({ description: 'Counter `sent` of the channel, as in the sum.' }),
          supported: Type.Boolean({
            description:
              'Whether the notification can be recalled on this channel. False for all channels if the data of the task was deleted.',
          }),
        }),
        { description: 'Channels that were used so far. Present only if `recall` is true in the request.' },
      ),
    ),
  }),
  problems: ['no-such-task'],
  examples: [
    {
      name: 'one task',
      body: { task_id: 115258093993985 },
      data: { task_id: 115258093993985, finished: false, sent: 1200 },
    },
    {
      name: 'with recall',
      body: { task_id: 115258093993985, recall: true },
      data: {
        task_id: 115258093993985,
        finished: true,
        sent: 1200,
        recall: [
          { channel: 'fcm', sent: 200, supported: false },
          { channel: 'huawei', sent: 1000, supported: true },
        ],
      },
    },
  ],
} as const satisfies Operation;
