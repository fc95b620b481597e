import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { userIdField } from '../../schemas/fields.ts';
import { exampleUser, loginNames, userRecord } from '../../schemas/user-record.ts';

export const adminUserUpdate = {
  method: 'POST',
  path: '/admin/user/update',
  summary: "Change a user's login names",
  description:
    'Sets the given login names and leaves the others unchanged. Existing logins stay valid. To delete a login name, list it in `remove`.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({
    user_id: userIdField,
    ...loginNames,
    remove: Type.Optional(
      Type.Array(Type.Union([Type.Literal('name'), Type.Literal('mobile'), Type.Literal('email')]), {
        minItems: 1,
        maxItems: 3,
        description: 'Login names to delete: `name`, `mobile` or `email`.',
      }),
    ),
  }),
  data: userRecord,
  problems: ['already-exists', 'list-too-long'],
  examples: [
    {
      name: 'another email address',
      body: { user_id: 42, email: 'hopper@example.com' },
      data: { ...exampleUser, email: 'hopper@example.com' },
    },
  ],
} as const satisfies Operation;
