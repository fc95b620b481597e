import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { userIdField } from '../../schemas/fields.ts';
import { exampleUser, loginNames, userRecord } from '../../schemas/user-record.ts';

export const adminUserUpdate = {
  method: 'POST',
  path: '/admin/user/update',
  summary: "Change a person's login names",
  description:
    'Sets the login names that are given and leaves the others as they are. Whoever is logged in stays so. A name is taken away by `remove`.',
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
        description: 'Login names to take away: `name`, `mobile`, `email`.',
      }),
    ),
  }),
  data: userRecord,
  problems: ['already-exists', 'list-too-long'],
  examples: [
    {
      name: 'another email',
      body: { user_id: 42, email: 'hopper@example.com' },
      data: { ...exampleUser, email: 'hopper@example.com' },
    },
  ],
} as const satisfies Operation;
