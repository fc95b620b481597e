import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appIdText } from '../../schemas/app-record.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminAppDisable = {
  method: 'POST',
  path: '/admin/app/disable',
  summary: 'Disable an app',
  description:
    'Rejects every request for this app and closes every session of its devices within five seconds. Cancels its open tasks, including scheduled ones, as `/push/task/cancel` does; this takes several seconds if there are thousands of tasks. The data of the app is kept.',
  access: 'admin',
  scope: 'platform',
  audit: ['target_app_id'],
  body: Type.Object({ target_app_id: appIdText }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'disable an app', body: { target_app_id: 'second' }, data: {} }],
} as const satisfies Operation;
