import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appIdText } from '../../schemas/app-record.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminAppDisable = {
  method: 'POST',
  path: '/admin/app/disable',
  summary: 'Shut an app',
  description:
    'Every call for this app is refused and every session of its devices closed within five seconds. Its open tasks are cancelled, those that are held for later too, as `/push/task/cancel` would; with thousands of them it takes some seconds. Its data stay.',
  access: 'admin',
  scope: 'platform',
  audit: ['target_app_id'],
  body: Type.Object({ target_app_id: appIdText }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'shut it', body: { target_app_id: 'second' }, data: {} }],
} as const satisfies Operation;
