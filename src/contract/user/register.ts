import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { deviceGuidField, exampleToken, tokenRecord } from '../schemas/login.ts';
import { loginNames, newPasswordField } from '../schemas/user-record.ts';

export const userRegister = {
  method: 'POST',
  path: '/user/register',
  summary: 'Register a user',
  description:
    'Creates a user and logs the user in. The app setting `registration` must be true. At least one of `name`, `mobile` and `email` is required. Carillon does not verify mobile numbers and email addresses.',
  access: 'open',
  body: Type.Object({ ...loginNames, password: newPasswordField, device_guid: deviceGuidField }),
  data: tokenRecord,
  problems: ['no-permission', 'already-exists', 'too-many-requests', 'ceiling-reached'],
  examples: [
    {
      name: 'with a user name',
      body: { name: 'edsger', password: 'goto considered harmful', device_guid: 'edsgers-phone' },
      data: exampleToken,
    },
  ],
} as const satisfies Operation;
