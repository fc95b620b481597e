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

const { push_token: _pushToken, ...tokenWithoutDevice } = exampleToken;

export const tokenLogin = {
  method: 'POST',
  path: '/token/login',
  summary: 'Get an access token by login name and password',
  description: `${loginDescription} A login name that contains \`@\` is an email address. A login name without letters is a mobile number, and any other is a user name. Mobile numbers match in any common format, and email addresses match in upper or lower case.`,
  access: 'open',
  body: Type.Object({
    login_name: loginNameText('Mobile number, email address or user name. In `/token/user`, this field is `name`.'),
    password: passwordField,
    device_guid: deviceGuidField,
  }),
  data: tokenRecord,
  problems: loginProblems,
  examples: [
    {
      name: 'by email',
      body: { login_name: exampleLogin.email, password: exampleLogin.password },
      data: tokenWithoutDevice,
    },
    {
      name: 'by mobile number',
      body: { login_name: exampleLogin.mobile, password: exampleLogin.password },
      data: tokenWithoutDevice,
    },
  ],
} as const satisfies Operation;
