import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appRecord, appSettings, exampleApp } from '../../schemas/app-record.ts';

export const adminAppUpdate = {
  method: 'POST',
  path: '/admin/app/update',
  summary: "Change this app's settings",
  description: 'Sets what is given and leaves the rest as it is. Within three seconds every process knows.',
  access: 'admin',
  scope: 'manage',
  audit: ['name', 'token_days', 'http_errors', 'user_push', 'registration', 'country', 'notify_per_second'],
  body: Type.Object(appSettings),
  data: appRecord,
  problems: [],
  examples: [
    { name: 'people may register', body: { registration: true }, data: { ...exampleApp, registration: true } },
  ],
} as const satisfies Operation;
