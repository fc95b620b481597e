import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';
import { passwordField } from '../schemas/login.ts';
import { exampleOperatorLogin, operatorLoginProblems } from '../schemas/operator-record.ts';
import { newPasswordField } from '../schemas/user-record.ts';

export const operatorPassword = {
  method: 'POST',
  path: '/operator/password',
  summary: 'Change your password as an operator',
  description:
    'Changes the password of the operator who is signed in, and ends all other sessions of the operator. Wrong values of `old_password` have the same limits as failed sign-ins.',
  access: 'session',
  scope: null,
  appless: true,
  audit: [],
  body: Type.Object({
    old_password: Type.String({ ...passwordField, description: 'Current password. Spaces are significant.' }),
    password: newPasswordField,
  }),
  data: emptyData,
  problems: operatorLoginProblems,
  examples: [
    {
      name: 'a new password',
      body: { old_password: exampleOperatorLogin.password, password: 'amazing grace of the sea' },
      data: {},
    },
  ],
} as const satisfies Operation;
