import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appRecord, appSettings, exampleApp } from '../../schemas/app-record.ts';

export const adminAppUpdate = {
  method: 'POST',
  path: '/admin/app/update',
  summary: "Change this app's settings",
  description:
    'Sets the given fields and leaves the others unchanged. All processes apply the new settings within three seconds.',
  access: 'admin',
  scope: 'manage',
  audit: [
    'name',
    'token_days',
    'http_errors',
    'user_push',
    'registration',
    'country',
    'notify_per_second',
    'extra_counters',
    'reject_typos',
    'approval_above',
    'cors_origins',
  ],
  body: Type.Object(appSettings),
  data: appRecord,
  problems: ['list-too-long'],
  examples: [{ name: 'allow registration', body: { registration: true }, data: { ...exampleApp, registration: true } }],
} as const satisfies Operation;
