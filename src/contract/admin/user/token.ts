import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { userIdField } from '../../schemas/fields.ts';
import { deviceGuidField, exampleToken, tokenRecord } from '../../schemas/login.ts';

export const adminUserToken = {
  method: 'POST',
  path: '/admin/user/token',
  summary: 'Log a person in without a password',
  description:
    "For an app that has accounts of its own: its backend knows who somebody is and gets a token for them, the same as a login's. Whoever is shut out gets none.",
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
