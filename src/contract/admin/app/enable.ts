import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appIdText } from '../../schemas/app-record.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminAppEnable = {
  method: 'POST',
  path: '/admin/app/enable',
  summary: 'Open an app again',
  description: 'Calls are answered and devices may connect again. What was cancelled when it was shut stays cancelled.',
  access: 'admin',
  scope: 'platform',
  audit: ['target_app_id'],
  body: Type.Object({ target_app_id: appIdText }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'open it', body: { target_app_id: 'second' }, data: {} }],
} as const satisfies Operation;
