import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appIdText } from '../../schemas/app-record.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminAppDisable = {
  method: 'POST',
  path: '/admin/app/disable',
  summary: 'Disable an app',
  description:
    'Within five seconds, all requests for the app are rejected, and all connections of its devices are closed. Its open and scheduled tasks are cancelled as with `/push/task/cancel`, which takes several seconds for thousands of tasks. The data of the app is kept. An app cannot disable itself.',
  access: 'admin',
  scope: 'platform',
  audit: ['target_app_id'],
  revokes: true,
  body: Type.Object({ target_app_id: appIdText }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'disable an app', body: { target_app_id: 'second' }, data: {} }],
} as const satisfies Operation;
