import { Type } from 'typebox';
import { traceCodes } from '#src/domain/trace/trace-events.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, NullableText, StringEnum } from '../../schemas/fields.ts';

export const pushTaskReport = {
  method: 'POST',
  path: '/push/task/report',
  summary: 'Report the results of a push task',
  description:
    'Returns the counters of a task for each channel that was used, with clicks and with the reasons of failures. The counters are exact at the time of the request, unless `incomplete` is true. Failures are the last reasons for which devices were not reached through a channel; these devices may have been reached through another one. After the data of a task was deleted, the response contains its final counters without failures and recalls.',
  access: 'token',
  scope: 'push',
  reads: true,
  body: Type.Object({ task_id: Int64({ description: 'Push task ID.' }) }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    channels: Type.Array(
      Type.Object({
        channel: Type.String({ description: 'Name of the channel, such as `apns`.' }),
        target: Int64({ description: 'Number of devices that Carillon tries to reach through this channel.' }),
        sent: Int64({ description: 'Number of devices to which this channel sent the notification.' }),
        received: Int64({ description: 'Number of devices with a receipt for this channel.' }),
        clicked: Int64({ description: 'Number of devices on which the user opened the notification.' }),
        recalled: Int64({
          description:
            'Number of devices from which the notification was recalled: the vendor accepted the recall, or it was written to the connection.',
        }),
        recall_failed: Int64({
          description: 'Number of devices from which the notification cannot be recalled.',
        }),
        failures: Type.Array(
          Type.Object({
            code: StringEnum(traceCodes, 'Code of the failure, as in `/push/task/trace`.'),
            detail: NullableText('Error code or message of the channel. Null if there is none.'),
            count: Int64({ description: 'Number of devices.' }),
            push_token: NullableText(
              'Push token of one of these devices, as an example for `/push/task/trace`. Null for users and group admins, and if the users of the devices have logged out.',
            ),
          }),
          { description: 'Reasons of failures, the most frequent first.' },
        ),
      }),
      { description: 'Channels that were used.' },
    ),
    waiting: Int64({
      description: 'Number of devices that are not connected and whose inbox contains the notification.',
    }),
    waiting_until: NullableInt64(
      'Time until which the notification stays in these inboxes, in Unix epoch milliseconds. Null if `waiting` is 0.',
    ),
    recall: StringEnum(
      ['none', 'running', 'done'],
      'State of the recall: `none` if it was not requested. A recall runs until each device is recalled or has failed, at most 24 hours.',
    ),
    failures_complete: Type.Boolean({
      description: 'False if the task has too many failures to evaluate all of them in one call.',
    }),
    incomplete: Type.Boolean({
      description:
        'Whether a database was unavailable. The counters and the failures are then those of the other databases. Repeat the call later.',
    }),
  }),
  problems: ['no-such-task'],
  examples: [
    {
      name: 'one task',
      body: { task_id: 115258093993985 },
      data: {
        task_id: 115258093993985,
        channels: [
          {
            ...{ channel: 'nativepush', target: 1, sent: 1, received: 1, clicked: 0 },
            ...{ recalled: 0, recall_failed: 0, failures: [] },
          },
        ],
        waiting: 0,
        waiting_until: null,
        recall: 'none',
        failures_complete: true,
        incomplete: false,
      },
    },
  ],
} as const satisfies Operation;
