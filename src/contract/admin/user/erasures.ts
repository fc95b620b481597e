import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { erasureRecord, exampleErasure } from '../../schemas/erasure-record.ts';
import { nextField, pageFields, userIdField } from '../../schemas/fields.ts';

export const adminUserErasures = {
  method: 'POST',
  path: '/admin/user/erasures',
  summary: 'List erasures of users',
  description:
    'Returns the erasures that `/admin/user/erase` started, with their progress, latest first, one page at a time. With `user_id`, returns only the erasure of this user. Entries are kept, because they prove the erasure and prevent the reuse of the ID.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({ user_id: Type.Optional(userIdField), ...pageFields }),
  data: Type.Object({ list: Type.Array(erasureRecord, { description: 'Erasures.' }), next: nextField }),
  problems: [],
  examples: [{ name: 'one user', body: { user_id: 42 }, data: { list: [exampleErasure], next: null } }],
} as const satisfies Operation;
