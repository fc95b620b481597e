import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { userIdField } from '../../schemas/fields.ts';
import { deviceGuidField, exampleToken, tokenRecord } from '../../schemas/login.ts';

export const adminUserToken = {
  method: 'POST',
  path: '/admin/user/token',
  summary: 'Log a user in without a password',
  description:
    'Returns an access token for a user whom your backend has authenticated. Use this operation if your app has its own accounts. The response has the same fields as the response of a login. The call is rejected if the user is disabled.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField, device_guid: deviceGuidField }),
  data: tokenRecord,
  problems: ['ceiling-reached'],
  examples: [
    { name: 'with a device', body: { user_id: 43, device_guid: 'a-phone' }, data: { ...exampleToken, user_id: 43 } },
  ],
} as const satisfies Operation;
