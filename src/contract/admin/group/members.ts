import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { groupIdField, nextField, pageFields } from '../../schemas/fields.ts';

export const adminGroupMembers = {
  method: 'POST',
  path: '/admin/group/members',
  summary: 'List the members of a group',
  description: 'Returns the user IDs of the members in ascending order, one page at a time.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({ group_id: groupIdField, ...pageFields }),
  data: Type.Object({ list: Type.Array(Int64(), { description: 'User IDs of the members.' }), next: nextField }),
  problems: [],
  examples: [{ name: 'the first page', body: { group_id: 7 }, data: { list: [42, 43], next: null } }],
} as const satisfies Operation;
