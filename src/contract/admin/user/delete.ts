import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserDelete = {
  method: 'POST',
  path: '/admin/user/delete',
  summary: 'Delete a user',
  description:
    'Deletes a user with login names, password, access tokens and group memberships. Also deletes the devices of the user with their vendor tokens, tags, aliases and waiting notifications. Existing tasks keep the user ID until their data is deleted; `/admin/user/erase` removes it. The ID cannot be used again. If the call fails, repeat it.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  revokes: true,
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'delete a user', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
