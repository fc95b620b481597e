import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';
import { newPasswordField } from '../../schemas/user-record.ts';

export const adminUserPassword = {
  method: 'POST',
  path: '/admin/user/password',
  summary: "Set a user's password",
  description:
    'Sets the password of a user and ends all logins of the user, as `/admin/user/kick` does. A blank password removes the existing one. The user then needs access tokens from `/admin/user/token`.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  revokes: true,
  body: Type.Object({ user_id: userIdField, password: Type.Optional(newPasswordField) }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'a new password', body: { user_id: 42, password: 'nanoseconds of wire' }, data: {} }],
} as const satisfies Operation;
