import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { nextField, pageFields } from '../../schemas/fields.ts';
import { exampleUser, userRecord } from '../../schemas/user-record.ts';

export const adminUserList = {
  method: 'POST',
  path: '/admin/user/list',
  summary: 'List the users of the app',
  description: 'Returns the users, ordered by ID, one page at a time.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object(pageFields),
  data: Type.Object({ list: Type.Array(userRecord, { description: 'Users.' }), next: nextField }),
  problems: [],
  examples: [{ name: 'the first page', body: { limit: 1 }, data: { list: [exampleUser], next: 42 } }],
} as const satisfies Operation;
