import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';
import { exampleLogin, loginProblems, passwordField } from '../schemas/login.ts';
import { newPasswordField } from '../schemas/user-record.ts';

export const userPassword = {
  method: 'POST',
  path: '/user/password',
  summary: 'Change your password',
  description:
    'Changes the password of the user who owns the access token. All other access tokens of the user are revoked, and the user is logged out of all devices except the device of this call. Wrong values of `old_password` have the same limits as failed logins. You can repeat the call with the same fields after an error. To set the password of another user, use `/admin/user/password`.',
  access: 'token',
  scope: null,
  body: Type.Object({
    old_password: Type.String({ ...passwordField, description: 'Current password. Spaces are significant.' }),
    password: newPasswordField,
  }),
  data: emptyData,
  problems: loginProblems,
  examples: [
    {
      name: 'a new password',
      body: { old_password: exampleLogin.password, password: 'amazing grace of the sea' },
      data: {},
    },
  ],
} as const satisfies Operation;
