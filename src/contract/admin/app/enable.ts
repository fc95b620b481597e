import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appIdText } from '../../schemas/app-record.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminAppEnable = {
  method: 'POST',
  path: '/admin/app/enable',
  summary: 'Enable an app',
  description:
    'Requests for the app are accepted again, and its devices can connect again. Tasks that were cancelled because the app was disabled stay cancelled.',
  access: 'admin',
  scope: 'platform',
  audit: ['target_app_id'],
  body: Type.Object({ target_app_id: appIdText }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'enable an app', body: { target_app_id: 'second' }, data: {} }],
} as const satisfies Operation;
