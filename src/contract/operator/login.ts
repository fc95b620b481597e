import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { passwordField } from '../schemas/login.ts';
import {
  exampleOperatorLogin,
  exampleSession,
  operatorEmailField,
  operatorLoginProblems,
  sessionData,
} from '../schemas/operator-record.ts';

export const operatorLogin = {
  method: 'POST',
  path: '/operator/login',
  summary: 'Sign in as an operator',
  description:
    'Checks the password of an operator, and starts a session of at most 12 hours, which ends after 2 hours without a request. The session is in a cookie that scripts cannot read. Every other request of the session must have the header `carillon-csrf` with the value of `csrf_token`. An unknown operator and a wrong password cause the same error.',
  access: 'open',
  appless: true,
  body: Type.Object({ email: operatorEmailField, password: passwordField }),
  data: sessionData,
  problems: operatorLoginProblems,
  examples: [{ name: 'with a password', body: exampleOperatorLogin, data: exampleSession }],
} as const satisfies Operation;
