import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../operation.ts';
import {
  deviceGuidField,
  exampleLogin,
  exampleToken,
  loginDescription,
  loginProblems,
  passwordField,
  tokenRecord,
} from '../schemas/login.ts';

export const tokenId = {
  method: 'POST',
  path: '/token/id',
  summary: 'Get an access token by user ID and password',
  description: loginDescription,
  access: 'open',
  body: Type.Object({
    user_id: Int64({ description: 'User ID.' }),
    password: passwordField,
    device_guid: deviceGuidField,
  }),
  data: tokenRecord,
  problems: loginProblems,
  examples: [
    {
      name: 'with a device',
      body: { user_id: exampleLogin.userId, password: exampleLogin.password, device_guid: 'iPhone-7C2F' },
      data: exampleToken,
    },
  ],
} as const satisfies Operation;
