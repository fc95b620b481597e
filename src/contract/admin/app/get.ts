import type { Operation } from '../../operation.ts';
import { appRecord, exampleApp } from '../../schemas/app-record.ts';

export const adminAppGet = {
  method: 'POST',
  path: '/admin/app/get',
  summary: 'Get this app',
  description: 'Returns the app to which the admin token belongs, with its settings.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  data: appRecord,
  problems: [],
  examples: [{ name: 'this app', data: exampleApp }],
} as const satisfies Operation;
