import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserEnable = {
  method: 'POST',
  path: '/admin/user/enable',
  summary: 'Let a person in again',
  description: 'This person may log in again. What ended when they were shut out stays ended.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'let in', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
