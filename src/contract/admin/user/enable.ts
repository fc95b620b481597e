import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserEnable = {
  method: 'POST',
  path: '/admin/user/enable',
  summary: 'Enable a user',
  description: 'Allows a disabled user to log in again. Logins that ended when the user was disabled are not restored.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'enable a user', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
