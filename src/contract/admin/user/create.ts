import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { chosenIdField, userIdField } from '../../schemas/fields.ts';
import { loginNames, newPasswordField } from '../../schemas/user-record.ts';

export const adminUserCreate = {
  method: 'POST',
  path: '/admin/user/create',
  summary: 'Make a person',
  description:
    'Makes a person, under an ID of your own or one of ours. An app with accounts of its own gives neither login name nor password and gets tokens by `/admin/user/token`. The ID of a person who was deleted is not given again.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  auditResultField: 'user_id',
  body: Type.Object({
    user_id: chosenIdField('User ID; blank: we choose one.'),
    ...loginNames,
    password: Type.Optional(newPasswordField),
  }),
  data: Type.Object({ user_id: userIdField }),
  problems: ['already-exists'],
  examples: [
    {
      name: 'with an ID and names',
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
