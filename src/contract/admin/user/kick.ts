import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserKick = {
  method: 'POST',
  path: '/admin/user/kick',
  summary: 'Log a user out everywhere',
  description:
    'Ends every login of the user. Tokens are rejected and sessions are closed within five seconds. Nothing is delivered to the devices until the user logs in on them again.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'log out everywhere', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
