import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, groupIdField } from '../../schemas/fields.ts';

export const adminGroupDelete = {
  method: 'POST',
  path: '/admin/group/delete',
  summary: 'Delete a group',
  description:
    'Deletes a group, but not the users in it. Scheduled tasks of the group reach no devices. The ID cannot be used again.',
  access: 'admin',
  scope: 'manage',
  audit: ['group_id'],
  body: Type.Object({ group_id: groupIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'a group', body: { group_id: 7 }, data: {} }],
} as const satisfies Operation;
