import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserDisable = {
  method: 'POST',
  path: '/admin/user/disable',
  summary: 'Shut a person out',
  description:
    'This person cannot log in any more, and every login ends: tokens are refused and sessions closed within five seconds, and nothing is delivered to the devices they were logged in on.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'shut out', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
