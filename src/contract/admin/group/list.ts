import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { groupIdField, nextField, pageFields } from '../../schemas/fields.ts';

export const adminGroupList = {
  method: 'POST',
  path: '/admin/group/list',
  summary: 'List the groups of the app',
  description: 'Returns the groups, ordered by ID, one page at a time.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object(pageFields),
  data: Type.Object({
    list: Type.Array(
      Type.Object({ group_id: groupIdField, name: Type.String({ description: 'Name of the group.' }) }),
      {
        description: 'Groups.',
      },
    ),
    next: nextField,
  }),
  problems: [],
  examples: [{ name: 'the first page', body: {}, data: { list: [{ group_id: 7, name: 'choir' }], next: null } }],
} as const satisfies Operation;
