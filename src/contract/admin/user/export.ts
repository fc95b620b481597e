import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { NullableText, StringEnum, userIdField } from '../../schemas/fields.ts';

/** The kinds of records, in the order of the export. */
export const exportKinds = [
  'user',
  'access_token',
  'device',
  'group',
  'task',
  'draft',
  'counters',
  'audit_entry',
] as const;

export const adminUserExport = {
  method: 'POST',
  path: '/admin/user/export',
  summary: 'Export the personal data of a user',
  description:
    'Returns the stored data about a user: login names, access tokens (without their values), devices, groups, tasks and drafts to or from the user with their messages, counters of old tasks, and audit entries. Tasks and drafts to all devices, tags or groups are not included. Each call returns one page, which can be empty. Repeat the call with `next` of the response as `after`, until `next` is null.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({
    user_id: userIdField,
    after: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: '^[a-z]+(\\.\\d{1,19})?$',
        description: 'Value of `next` in the previous response. Blank returns the first page.',
      }),
    ),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        kind: StringEnum(exportKinds, 'Kind of the record.'),
        record: Type.String({ description: 'The record, as a JSON string. Times are in Unix epoch milliseconds.' }),
      }),
      { description: 'Records of the user.' },
    ),
    next: NullableText('Value for `after` that returns the next page. Null if this is the last page.'),
  }),
  problems: [],
  examples: [
    {
      name: 'the first page',
      body: { user_id: 42 },
      data: {
        list: [
          {
            kind: 'user',
            record:
              '{"user_id":42,"name":"grace","mobile":"+8613912345678","email":"grace@example.com","has_password":true,"disabled":false,"created_at":1794700800000,"aliases":["grace"]}',
          },
        ],
        next: 'groups',
      },
    },
  ],
} as const satisfies Operation;
