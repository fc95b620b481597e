import { Type } from 'typebox';
import { type Operation, STORABLE } from '../operation.ts';
import { NullableInt64, NullableText, StringEnum } from '../schemas/fields.ts';

/** Maximum number of matches. More can match only if many users have logged in with one `device_guid`. */
export const MATCHES_MAX = 20;

export const matchKinds = ['user', 'device', 'task', 'group'] as const;
export const matchedFields = [
  'user_id',
  'name',
  'mobile',
  'email',
  'alias',
  'push_token',
  'device_guid',
  'vendor_token',
  'task_id',
  'request_id',
  'group_id',
] as const;

export const adminLookup = {
  method: 'POST',
  path: '/admin/lookup',
  summary: 'Look up any ID',
  description: `Returns the users, devices, tasks and groups that a string can identify, at most ${MATCHES_MAX}. The string can be a user ID, user name, mobile number, email address, alias, push token, \`device_guid\`, vendor token, task ID, \`request_id\` or group ID. A number can have several matches. Mobile numbers match in any common format. A \`request_id\` is found only if an admin sent it, not a user or a group admin. The header \`X-Request-Id\` is not stored, so it cannot be found here. Search the access log of your proxy for it. Use \`task_id\` with \`user_id\` or \`push_token\` in \`/push/task/trace\`.`,
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({
    text: Type.String({
      minLength: 1,
      maxLength: 4_096,
      pattern: STORABLE,
      description:
        'The string to look up. Spaces before and after it are ignored. Case matters, except in email addresses.',
    }),
  }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        kind: StringEnum(matchKinds, 'Kind of the object.'),
        matched: StringEnum(matchedFields, 'The field that has the value.'),
        label: Type.String({
          description:
            'Name of the object: login name of the user, `device_guid`, title of the notification, or group name. The ID if it has no name.',
        }),
        user_id: NullableInt64('ID of the user, or of the user who is logged in on the device.'),
        push_token: NullableText('Push token of the device. Null if no user is logged in on it.'),
        device_guid: NullableText('Device ID that the app sent at login.'),
        task_id: NullableInt64('Push task ID.'),
        group_id: NullableInt64('Group ID.'),
      }),
      { description: 'Matches. Fields that do not apply to the kind are null.' },
    ),
    incomplete: Type.Boolean({
      description: 'Whether a database was unavailable, so that matches can be missing. Repeat the call later.',
    }),
  }),
  problems: [],
  examples: [
    {
      name: 'a mobile number',
      body: { text: '139 1234 5678' },
      data: {
        list: [
          {
            kind: 'user',
            matched: 'mobile',
            label: 'ada',
            user_id: 100001,
            push_token: null,
            device_guid: null,
            task_id: null,
            group_id: null,
          },
        ],
        incomplete: false,
      },
    },
  ],
} as const satisfies Operation;
