import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserKick = {
  method: 'POST',
  path: '/admin/user/kick',
  summary: 'Log a user out everywhere',
  description:
    'Ends all logins of a user. Within five seconds, the access tokens of the user are rejected, and the connections are closed. Nothing is delivered to the devices of the user until a user logs in on them again.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  revokes: true,
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'log out everywhere', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
