import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, userIdField } from '../../schemas/fields.ts';

export const adminUserDelete = {
  method: 'POST',
  path: '/admin/user/delete',
  summary: 'Delete a person',
  description:
    'Erases this person: login names, password, tokens, devices with their vendor tokens, tags, alias and waiting messages, and memberships. Tasks that were accepted keep the bare ID until their days are dropped. The ID is not given again. Repeat the call if it fails half-way.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'erase', body: { user_id: 42 }, data: {} }],
} as const satisfies Operation;
