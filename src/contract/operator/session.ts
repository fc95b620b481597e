import type { Operation } from '../operation.ts';
import { exampleSession, sessionData } from '../schemas/operator-record.ts';

export const operatorSession = {
  method: 'POST',
  path: '/operator/session',
  summary: 'Show the operator who is signed in',
  description:
    'Returns the operator of the session, and the CSRF token that all other requests of the session need. This operation itself needs no CSRF token.',
  access: 'session',
  scope: null,
  appless: true,
  reads: true,
  skipsCsrf: true,

  data: sessionData,
  problems: [],
  examples: [{ name: 'a platform operator', data: exampleSession }],
} as const satisfies Operation;
