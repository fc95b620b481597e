import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { userIdField } from '../../schemas/fields.ts';
import { exampleUser, loginNames, userRecord } from '../../schemas/user-record.ts';

export const adminUserFind = {
  method: 'POST',
  path: '/admin/user/find',
  summary: 'Find a user',
  description:
    'Returns the user that matches exactly one of the fields. Mobile numbers and email addresses match in any notation.',
  access: 'admin',
  scope: 'manage',
  body: Type.Object({ user_id: Type.Optional(userIdField), ...loginNames }),
  data: userRecord,
  problems: [],
  examples: [{ name: 'by mobile number', body: { mobile: '+86 139-1234-5678' }, data: exampleUser }],
} as const satisfies Operation;
