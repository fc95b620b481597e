import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { NullableInt64, pageFields, StringEnum, timeField } from '../../schemas/fields.ts';

export const pushTaskList = {
  method: 'POST',
  path: '/push/task/list',
  summary: 'Push tasks, the latest first',
  description:
    "The tasks that this caller may see, page by page: an admin the app's, a group's admin the group's, a user those they authored. Only tasks that are still kept are listed (`CARILLON_RETENTION_DAYS`); counters, also of older ones, are told by `/push/task/detail`.",
  access: 'token',
  scope: 'push',
  body: Type.Object(pageFields),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        task_id: Int64({ description: 'Push task ID.' }),
        state: StringEnum(
          ['held', 'sending', 'finished', 'cancelled'],
          '`held` until its time, `sending` while anything may still go out or arrive from an inbox, `finished`; `cancelled` from the moment somebody stopped it.',
        ),
        author: Type.String({ description: '`admin`, `group:<id>` or `user:<id>`.' }),
        audience: Type.String({
          description: 'What it was addressed by: `all`, `tag`, `alias`, `user_id`, `push_token`.',
        }),
        accepted_at: timeField('When it was accepted'),
        due_at: timeField('When it is sent, or was'),
        end_at: timeField('When nothing of it is sent any more'),
      }),
      { description: 'Tasks.' },
    ),
    next: NullableInt64('Send it as `after` for those before; null: there are none.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the latest',
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
