import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { userIdField } from '../../schemas/fields.ts';
import { deviceGuidField, exampleToken, tokenRecord } from '../../schemas/login.ts';

export const adminUserToken = {
  method: 'POST',
  path: '/admin/user/token',
  summary: 'Log a user in without a password',
  description:
    'For an app that has its own accounts: after its backend has authenticated a user, it gets a token for that user, as a login does. A disabled user gets no token.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField, device_guid: deviceGuidField }),
  data: tokenRecord,
  problems: [],
  examples: [
    { name: 'with a device', body: { user_id: 43, device_guid: 'a-phone' }, data: { ...exampleToken, user_id: 43 } },
  ],
} as const satisfies Operation;
