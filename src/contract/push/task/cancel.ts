import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';

export const pushTaskCancel = {
  method: 'POST',
  path: '/push/task/cancel',
  summary: 'Stop a push task',
  description:
    'Stops what is not sent yet: devices that were not tried, that are to be tried again, or that have it waiting. What is under way at this moment may still arrive, and what has arrived stays. Said twice it changes nothing; a task that is finished stays as it is. Answered when it is committed; every worker heeds it from its next step on.',
  access: 'token',
  scope: 'push',
  audit: ['task_id'],
  body: Type.Object({ task_id: Int64({ description: 'Push task ID.' }) }),
  data: Type.Object({
    task_id: Int64({ description: 'Push task ID.' }),
    finished: Type.Boolean({ description: 'Whether it was finished already, so that there was nothing to stop.' }),
    sent: Int64({ description: 'How many had been sent by then, over all channels.' }),
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
