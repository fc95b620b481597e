import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, pageFields, StringEnum, timeField } from '../../schemas/fields.ts';

export const pushTaskList = {
  method: 'POST',
  path: '/push/task/list',
  summary: 'List push tasks',
  description:
    'Returns the tasks that this caller may see, latest first, in pages. An admin sees all tasks of the app, a group admin those of the group, and a user those they created. Only tasks that are still kept are listed (`CARILLON_RETENTION_DAYS`); `/push/task/detail` also returns the counters of older tasks.',
  access: 'token',
  scope: 'push',
  body: Type.Object(pageFields),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        task_id: Int64({ description: 'Push task ID.' }),
        state: StringEnum(
          ['held', 'sending', 'finished', 'cancelled'],
          '`held`: scheduled for later. `sending`: may still be sent, or delivered from an inbox. `finished`: nothing is left to do. `cancelled`: the task was cancelled.',
        ),
        author: Type.String({ description: '`admin`, `group:<id>` or `user:<id>`.' }),
        audience: Type.String({
          description: 'Kind of the audience: `all`, `tag`, `alias`, `user_id`, `push_token`.',
        }),
        accepted_at: timeField('Time of acceptance'),
        due_at: timeField('Time from which the task is sent'),
        end_at: timeField('Time after which nothing more is sent'),
      }),
      { description: 'Tasks.' },
    ),
    next: NullableInt64('Send it as `after` to get older tasks; null if there are none.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the latest task',
      body: { limit: 1 },
      data: {
        list: [
          {
            task_id: 115258093993985,
            state: 'finished',
            author: 'admin',
            audience: 'all',
            accepted_at: 1794705400000,
            due_at: 1794705400000,
            end_at: 1794791800000,
          },
        ],
        next: 115258093993985,
      },
    },
  ],
} as const satisfies Operation;
