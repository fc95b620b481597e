import { Type } from 'typebox';
import { Int64 } from '#src/foundation/int64.ts';
import type { Operation } from '../../operation.ts';
import { emptyData, groupIdField } from '../../schemas/fields.ts';

export const adminGroupAdd = {
  method: 'POST',
  path: '/admin/group/add',
  summary: 'Add members to a group',
  description: 'Users who are already members stay members. If one of the users does not exist, no members are added.',
  access: 'admin',
  scope: 'manage',
  audit: ['group_id'],
  body: Type.Object({
    group_id: groupIdField,
    list: Type.Array(Int64(), { minItems: 1, maxItems: 500, description: 'User IDs, at most 500.' }),
  }),
  data: emptyData,
  problems: ['list-too-long'],
  examples: [{ name: 'add two users', body: { group_id: 7, list: [42, 43] }, data: {} }],
} as const satisfies Operation;
