import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appIdText, appSettings } from '../../schemas/app-record.ts';
import { nameField } from '../../schemas/fields.ts';

export const adminAppCreate = {
  method: 'POST',
  path: '/admin/app/create',
  summary: 'Create an app',
  description:
    'Creates an app with a new key pair, and an admin token for the new app. The admin token is returned only once. This operation is for operators of the whole installation: its scope `platform` is not included in `*`.',
  access: 'admin',
  scope: 'platform',
  audit: ['new_app_id'],
  body: Type.Object({ new_app_id: appIdText, ...appSettings, name: nameField('Name of the app.') }),
  data: Type.Object({
    app_id: Type.String({ description: 'ID of the new app.' }),
    admin_token: Type.String({
      description: 'Admin token of the new app, with the scope `*`. It is not shown again.',
    }),
  }),
  problems: ['already-exists', 'list-too-long'],
  examples: [
    {
      name: 'a second app',
      body: { new_app_id: 'second', name: 'Second' },
      data: { app_id: 'second', admin_token: 'ca_23bT5wswevLgChhtxwx303Hi18yisklmes74lWtEzT2NOpay1' },
    },
  ],
} as const satisfies Operation;
