import { Type } from 'typebox';
import { HOLD_SECONDS_MAX } from '#src/domain/task.ts';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { draftIdField } from '../../schemas/draft-record.ts';

export const pushDraftApprove = {
  method: 'POST',
  path: '/push/draft/approve',
  summary: 'Approve a draft and send its notification',
  description:
    'Checks the request of the draft again, and accepts it like `/push/notify`. Returns the task ID. The author of the task is the author of the draft. If the draft needs approval, the token that created it cannot approve it. For this decision, the devices of the audience are counted again, and the larger number counts. You can repeat the call: the notification is sent once, also if several tokens approve the draft at the same time. Requires an admin token.',
  access: 'token',
  scope: 'push',
  audit: ['draft_id', 'hold_seconds'],
  auditResultField: 'task_id',
  body: Type.Object({
    draft_id: draftIdField,
    hold_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: HOLD_SECONDS_MAX,
        description:
          'Number of seconds for which the task is held before sending starts. Blank means the value in the draft.',
      }),
    ),
  }),
  data: Type.Object({ task_id: Int64({ description: 'Push task ID.' }) }),
  problems: [
    ...['no-such-draft', 'approval-required', 'draft-decided', 'list-too-long', 'image-too-large'],
    ...['bad-time-window', 'too-many-requests', 'ceiling-reached'],
  ],
  examples: [
    {
      name: 'with a hold',
      body: { draft_id: 12, hold_seconds: 30 },
      data: { task_id: 115258093993985 },
    },
  ],
} as const satisfies Operation;
