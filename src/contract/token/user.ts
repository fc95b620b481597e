import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import {
  deviceGuidField,
  exampleLogin,
  exampleToken,
  loginDescription,
  loginNameText,
  loginProblems,
  passwordField,
  tokenRecord,
} from '../schemas/login.ts';

export const tokenUser = {
  method: 'POST',
  path: '/token/user',
  summary: 'Get an access token by user name and password',
  description: loginDescription,
  access: 'open',
  body: Type.Object({
    name: loginNameText(
      'User name. For mobile numbers and email addresses, use `/token/login`, where this field is `login_name`.',
    ),
    password: passwordField,
    device_guid: deviceGuidField,
  }),
  data: tokenRecord,
  problems: loginProblems,
  examples: [
    {
      name: 'with a device',
      body: { name: exampleLogin.name, password: exampleLogin.password, device_guid: 'pixel-9-4412' },
      data: exampleToken,
    },
  ],
} as const satisfies Operation;
