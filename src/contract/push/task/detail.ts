import { Type } from 'typebox';
import { channels } from '#src/domain/channel.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';

const TASKS_MAX = 500;

const counters = channels.flatMap((channel) => [
  [`${channel}_sent`, `Number sent over ${channel}: accepted by the vendor, or written to a live session.`],
  [`${channel}_received`, `Number received over ${channel}: acknowledged, once per device.`],
  [`${channel}_target`, `Number of target devices on ${channel}: a device that fell back counts on both channels.`],
]);

const exampleRecord = Object.fromEntries(counters.map(([name]) => [name, 0]));

export const pushTaskDetail = {
  method: 'POST',
  path: '/push/task/detail',
  summary: 'Query push statistics',
  description:
    'Returns the 27 counters of each task, exact at the time of the request. If the data of a task is no longer kept (`CARILLON_RETENTION_DAYS`), its final counters are returned (for `CARILLON_COUNTS_DAYS`). Unknown task IDs and those that this caller may not see are omitted. The order of the request is kept, and duplicates are returned once.',
  access: 'token',
  scope: 'push',
  body: Type.Object({
    list: Type.Array(Int64(), { minItems: 1, maxItems: TASKS_MAX, description: 'Task IDs, at most 500.' }),
  }),
  data: Type.Array(
    Type.Object(
      {
        task_id: Int64({ description: 'Push task ID.' }),
        ...Object.fromEntries(counters.map(([name, description]) => [name, Int64({ description })])),
      },
      { description: 'Push statistics record.' },
    ),
  ),
  problems: ['list-too-long'],
  examples: [
    {
      name: 'one task',
      body: { list: [115258093993985] },
      data: [
        {
          task_id: 115258093993985,
          ...exampleRecord,
          nativepush_sent: 1,
          nativepush_received: 1,
          nativepush_target: 1,
        },
      ],
    },
  ],
} as const satisfies Operation;
