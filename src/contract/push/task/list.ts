import { Type } from 'typebox';
import { channels } from '#src/domain/channel.ts';
import { audienceKinds, taskStates, tokenKinds } from '#src/domain/task.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { type Operation, STORABLE } from '../../operation.ts';
import {
  choiceField,
  NullableInt64,
  NullableText,
  orderField,
  pageFields,
  SHORT_PAGES,
  StringEnum,
  searchField,
  timeField,
  timeRangeFields,
} from '../../schemas/fields.ts';
import { CONTENTS_MAX, taskContentField } from '../../schemas/task-content.ts';

const NO_COUNTS = 'Null without `counts`, or if a database is unavailable.';

export const pushTaskList = {
  method: 'POST',
  path: '/push/task/list',
  summary: 'List push tasks',
  description: `Returns the tasks that the caller can see, latest first, one page at a time. An admin can see all tasks of the app. A group admin can see the tasks of the group, and a user the tasks that the user created. ${SHORT_PAGES} Tasks are listed for \`CARILLON_RETENTION_DAYS\`. For older tasks, \`/push/task/detail\` still returns the counters.`,
  access: 'token',
  scope: 'push',
  reads: true,
  body: Type.Object({
    ...pageFields,
    order: orderField,
    ...timeRangeFields('tasks that were accepted'),
    state: choiceField(taskStates, { description: 'Only tasks in this state.' }),
    author: Type.Optional(
      Type.String({
        maxLength: 128,
        pattern: STORABLE,
        description: 'Only tasks of this creator, as in the response: `admin`, `group:<id>`, `user:<id>` or `erased`.',
      }),
    ),
    token_kind: choiceField(tokenKinds, {
      description: 'Only tasks that were sent with this kind of token, as in the response. Requires an admin token.',
    }),
    token_id: Type.Optional(
      Int64({
        description:
          'Only tasks that were sent with the token with this ID, as in the response. Tokens of different kinds can have the same ID, so send `token_kind` too. Requires an admin token.',
      }),
    ),
    audience: choiceField(audienceKinds, { description: 'Only tasks with this kind of audience.' }),
    text: searchField('Only tasks with this text in the title or the body. Upper and lower case are the same.'),
    channel_failed: choiceField(channels, {
      description:
        'Only tasks with devices that were not reached through this channel. Another channel may have reached them. With this filter, a call checks at most 500 tasks.',
    }),
    counts: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to also return the counters of each task.' }),
    ),
    content: Type.Optional(
      Type.Boolean({
        default: false,
        description: `Whether to also return the message and the audience of each task. A page then has at most ${CONTENTS_MAX} tasks. Requires an admin token.`,
      }),
    ),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        task_id: Int64({ description: 'Push task ID.' }),
        state: StringEnum(
          taskStates,
          '`held`: the task is scheduled for later, or held by `hold_seconds`. `sending`: the notification is being sent, or waits in an inbox. `finished`: all deliveries have ended. `cancelled`: the task was cancelled.',
        ),
        author: Type.String({
          description: 'Creator of the task: `admin`, `group:<id>`, `user:<id>`, or `erased` if the user was erased.',
        }),
        token_kind: NullableText(
          'Kind of the token that sent the task: `admin`, `user`, or `operator` for the session of an operator. Null for callers with an access token.',
        ),
        token_id: NullableInt64(
          'ID of this token. For an access token, the first 53 bits of its SHA-256 hash. For an operator, the operator ID. Null if `token_kind` is null.',
        ),
        token_name: NullableText(
          'Current name of the operator or of the admin token that sent the task. Null for access tokens, and for callers with an access token.',
        ),
        token_parent: NullableInt64('ID of the admin token that created the access token. Null if there is none.'),
        audience: Type.String({
          description: 'Kind of the audience: `all`, `tag`, `alias`, `user_id` or `push_token`.',
        }),
        title: NullableText('Title of the notification. Null if it has none.'),
        content: taskContentField,
        target: NullableInt64(`Sum of the \`target\` counters of all channels. ${NO_COUNTS}`),
        sent: NullableInt64(`Sum of the \`sent\` counters of all channels. ${NO_COUNTS}`),
        received: NullableInt64(`Sum of the \`received\` counters of all channels. ${NO_COUNTS}`),
        accepted_at: timeField('Time at which the task was accepted'),
        due_at: timeField('Time at which sending starts'),
        end_at: timeField('Time at which the task expires'),
        cancelled_at: NullableInt64(
          'Time at which the task was cancelled, in Unix epoch milliseconds. Null if it was not cancelled.',
        ),
      }),
      { description: 'Tasks.' },
    ),
    next: NullableInt64('Value for `after` that returns the next page. Null if there are no more tasks.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the latest task',
      body: { limit: 1, counts: true },
      data: {
        list: [
          {
            task_id: 115258093993985,
            state: 'finished',
            author: 'admin',
            token_kind: 'admin',
            token_id: 1,
            token_name: 'operator',
            token_parent: null,
            audience: 'all',
            content: null,
            ...{ title: 'Hello', target: 1200, sent: 1200, received: 900 },
            accepted_at: 1794705400000,
            due_at: 1794705400000,
            end_at: 1794791800000,
            cancelled_at: null,
          },
        ],
        next: 115258093993985,
      },
    },
    {
      name: 'tasks that an operator sent',
      body: { token_kind: 'operator', token_id: 2 },
      data: { list: [], next: null },
    },
    {
      name: 'cancelled tasks of a day with a text',
      body: { from: 1794614400000, to: 1794700800000, state: 'cancelled', text: 'sale', order: 'oldest' },
      data: { list: [], next: null },
    },
  ],
} as const satisfies Operation;
