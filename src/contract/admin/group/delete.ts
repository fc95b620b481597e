import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { emptyData, groupIdField } from '../../schemas/fields.ts';

export const adminGroupDelete = {
  method: 'POST',
  path: '/admin/group/delete',
  summary: 'Delete a group',
  description:
    'Deletes a group, but not its members. Scheduled tasks of the group then reach no devices. The ID of a deleted group cannot be used again.',
  access: 'admin',
  scope: 'manage',
  audit: ['group_id'],
  body: Type.Object({ group_id: groupIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'delete a group', body: { group_id: 7 }, data: {} }],
} as const satisfies Operation;
