import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import { NullableInt64, NullableText, StringEnum, timeField } from './fields.ts';

export const draftIdField = Int64({ description: 'Draft ID.' });

export const draftStates = ['open', 'approved', 'rejected'] as const;

const nullableTime = (description: string) => NullableInt64(`${description}, in Unix epoch milliseconds.`);

export const draftFields = {
  draft_id: draftIdField,
  state: StringEnum(
    draftStates,
    '`open`: the draft is not decided. `approved`: the notification was accepted as the task `task_id`. `rejected`: nothing is sent.',
  ),
  author: Type.String({
    description: 'Author of the task that an approval creates: `admin`, `group:<id>` or `user:<id>`.',
  }),
  audience: Type.String({ description: 'Kind of the audience: `all`, `tag`, `alias`, `user_id` or `push_token`.' }),
  title: NullableText('Title of the notification. Null if it has none.'),
  note: NullableText('Note for the approver. Null if there is none.'),
  devices: Int64({ description: 'Number of devices in the audience when the draft was created.' }),
  needs_approval: Type.Boolean({
    description: 'Whether only another token than the one that created the draft can approve it.',
  }),
  created_by: Type.String({ description: 'Name of the token that created the draft.' }),
  created_by_kind: Type.String({ description: 'Kind of this token, such as `admin`.' }),
  created_by_id: Int64({ description: 'ID of this token.' }),
  created_at: timeField('Creation time'),
  expires_at: timeField('Time at which the draft is deleted'),
  decided_by: NullableText('Name of the token that approved or rejected the draft. Null if the draft is open.'),
  decided_by_kind: NullableText('Kind of this token. Null if the draft is open.'),
  decided_by_id: NullableInt64('ID of this token. Null if the draft is open.'),
  decided_at: nullableTime('Time of the approval or rejection; null if the draft is open'),
  reason: NullableText('Reason of the rejection. Null if there is none.'),
  task_id: NullableInt64(
    'Push task ID. Null if the draft is not approved, or if the approval was interrupted. In this case, approve it again.',
  ),
};

export const draftRecord = Type.Object(draftFields, { description: 'A draft.' });

export const exampleDraft = {
  draft_id: 12,
  state: 'open',
  author: 'admin',
  audience: 'all',
  title: 'Summer sale',
  note: 'For the start of the sale on Friday.',
  devices: 120000,
  needs_approval: true,
  created_by: 'ada',
  created_by_kind: 'admin',
  created_by_id: 7,
  created_at: 1794700800000,
  expires_at: 1795305600000,
  decided_by: null,
  decided_by_kind: null,
  decided_by_id: null,
  decided_at: null,
  reason: null,
  task_id: null,
} as const;

export const exampleApproval = {
  state: 'approved',
  decided_by: 'grace',
  decided_by_kind: 'admin',
  decided_by_id: 8,
  decided_at: 1794704400000,
  task_id: 115258093993985,
} as const;
