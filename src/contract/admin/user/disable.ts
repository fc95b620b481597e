import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserDisable = {
  method: 'POST',
  path: '/admin/user/disable',
  summary: 'Disable a user',
  description:
    'Ends all logins of a user and prevents new ones. Within five seconds, the access tokens of the user are rejected, and the connections are closed. Nothing more is delivered to the devices of the user.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  revokes: true,
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'disable a user', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
