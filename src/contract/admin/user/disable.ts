import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserDisable = {
  method: 'POST',
  path: '/admin/user/disable',
  summary: 'Disable a user',
  description:
    'The user can no longer log in, and every login ends. Tokens are rejected and sessions are closed within five seconds. Nothing more is delivered to the devices on which the user was logged in.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'disable a user', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
