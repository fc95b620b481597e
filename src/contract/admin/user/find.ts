import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { userIdField } from '../../schemas/fields.ts';
import { exampleUser, loginNames, userRecord } from '../../schemas/user-record.ts';

export const adminUserFind = {
  method: 'POST',
  path: '/admin/user/find',
  summary: 'Find a user',
  description:
    'Returns one user. Send exactly one of `user_id`, `name`, `mobile` and `email`. Mobile numbers match in any common format, and email addresses match in upper or lower case.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({ user_id: Type.Optional(userIdField), ...loginNames }),
  data: userRecord,
  problems: [],
  examples: [{ name: 'by mobile number', body: { mobile: '+86 139-1234-5678' }, data: exampleUser }],
} as const satisfies Operation;
