import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { chosenIdField, groupIdField, nameField } from '../../schemas/fields.ts';

export const adminGroupCreate = {
  method: 'POST',
  path: '/admin/group/create',
  summary: 'Create a group',
  description:
    'Creates a group without members. A call with an admin token and the header `group_id` reaches only the members of that group.',
  access: 'admin',
  scope: 'manage',
  audit: ['group_id'],
  auditResultField: 'group_id',
  body: Type.Object({
    group_id: chosenIdField('Group ID. If blank, Carillon generates an ID.'),
    name: nameField('Name of the group.'),
  }),
  data: Type.Object({ group_id: groupIdField }),
  problems: ['already-exists'],
  examples: [{ name: 'with an ID', body: { group_id: 7, name: 'choir' }, data: { group_id: 7 } }],
} as const satisfies Operation;
