import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { erasureRecord, exampleErasure } from '../../schemas/erasure-record.ts';
import { userIdField } from '../../schemas/fields.ts';

export const adminUserErase = {
  method: 'POST',
  path: '/admin/user/erase',
  summary: 'Erase the personal data of a user',
  description:
    'Deletes a user like `/admin/user/delete`, and removes the user from stored tasks, counters and idempotency keys. Audit entries are kept for 400 days. The text of notifications whose only recipient is the user is erased too; if such a notification is not finished, it is cancelled. The user is deleted before the response. Workers erase the rest within about 10 minutes, or when an unavailable database is back; `/admin/user/erasures` returns the progress. A repeated call changes nothing while the erasure is running, and starts it again afterwards. You can also erase a user who was deleted before.',
  access: 'admin',
  scope: 'manage',
  audit: ['user_id'],
  body: Type.Object({ user_id: userIdField }),
  data: erasureRecord,
  problems: [],
  examples: [{ name: 'erase a user', body: { user_id: 42 }, data: exampleErasure }],
} as const satisfies Operation;
