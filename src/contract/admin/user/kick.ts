import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserKick = {
  method: 'POST',
  path: '/admin/user/kick',
  summary: 'Log a person out everywhere',
  description:
    'Ends every login of this person: tokens are refused and sessions closed within five seconds, and nothing is delivered to the devices until they log in there again.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'log out everywhere', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
