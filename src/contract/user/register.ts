import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { deviceGuidField, exampleToken, tokenRecord } from '../schemas/login.ts';
import { loginNames, newPasswordField } from '../schemas/user-record.ts';

export const userRegister = {
  method: 'POST',
  path: '/user/register',
  summary: 'Register a user',
  description:
    'Creates a user and logs them in, in apps that allow it (`registration`); other apps reject the request. At least one of `name`, `mobile` and `email` is required. Mobile numbers and email addresses are not verified.',
  access: 'open',
  body: Type.Object({ ...loginNames, password: newPasswordField, device_guid: deviceGuidField }),
  data: tokenRecord,
  problems: ['no-permission', 'already-exists'],
  examples: [
    {
      name: 'with a user name',
      body: { name: 'edsger', password: 'goto considered harmful', device_guid: 'edsgers-phone' },
      data: exampleToken,
    },
  ],
} as const satisfies Operation;
