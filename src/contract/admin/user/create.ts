import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { chosenIdField, userIdField } from '../../schemas/fields.ts';
import { loginNames, newPasswordField } from '../../schemas/user-record.ts';

export const adminUserCreate = {
  method: 'POST',
  path: '/admin/user/create',
  summary: 'Create a user',
  description:
    'Creates a user with an ID that you choose, or with a generated ID. If your app has its own accounts, omit login names and password, and get access tokens with `/admin/user/token`. The ID of a deleted user cannot be used again.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  auditResultField: 'user_id',
  body: Type.Object({
    user_id: chosenIdField('User ID. If blank, Carillon generates an ID.'),
    ...loginNames,
    password: Type.Optional(newPasswordField),
  }),
  data: Type.Object({ user_id: userIdField }),
  problems: ['already-exists', 'ceiling-reached'],
  examples: [
    {
      name: 'with an ID and login names',
      body: {
        user_id: 42,
        name: 'grace',
        mobile: '139 1234 5678',
        email: 'Grace@Example.com',
        password: 'a ship in port is safe',
      },
      data: { user_id: 42 },
    },
    { name: 'for an app with its own accounts', body: { user_id: 43 }, data: { user_id: 43 } },
  ],
} as const satisfies Operation;
