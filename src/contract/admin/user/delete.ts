import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserDelete = {
  method: 'POST',
  path: '/admin/user/delete',
  summary: 'Delete a user',
  description:
    'Erases the user: login names, password, tokens, group memberships, and devices with their vendor tokens, tags, alias and waiting notifications. Accepted tasks keep only the user ID until their data is dropped. The ID cannot be used again. If the call fails, repeat it.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'erase', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
