import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';

export const operatorLogout = {
  method: 'POST',
  path: '/operator/logout',
  summary: 'Sign out',
  description: 'Ends the session and deletes its cookie.',
  access: 'session',
  scope: null,
  appless: true,
  audit: [],

  data: emptyData,
  problems: [],
  examples: [{ name: 'sign out', data: {} }],
} as const satisfies Operation;
