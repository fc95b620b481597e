import type { CallerName } from './callers.ts';
import type { Row } from './rows.ts';
import { ann } from './two-apps.ts';

const manages: readonly CallerName[] = ['manage', '*', 'an admin for a user'];

/** The operations that find objects and notifications by any ID, the counters by day, and the audit log. */
export const lookupRows: Readonly<Record<string, Row>> = {
  '/admin/lookup': {
    allowedCallers: manages,
    validRequest: () => ({ text: ann.name }),
    foreignRequests: (their) =>
      [
        ...[their.userId, their.name, their.mobile, their.email, their.alias, their.pushToken, their.deviceGuid],
        ...[their.taskId, their.oldTaskId, their.groupId],
      ].map((value) => ({ body: { text: value.toString() }, code: 200, data: { list: [], incomplete: false } })),
  },
  '/admin/device/notifications': {
    allowedCallers: manages,
    validRequest: ({ app }) => ({ push_token: app.phone.push_token }),
    foreignRequests: ({ pushToken, userId, taskId }, { app }) => [
      { body: { push_token: pushToken }, code: 12008 },
      { body: { user_id: userId }, code: 10000 },
      { body: { push_token: app.phone.push_token, after: taskId + 1n }, code: 200 },
    ],
  },
  '/push/statistics/daily': {
    allowedCallers: ['push', '*', 'an admin for a user'],
    validRequest: () => ({ from: '2026-11-01', to: '2026-11-30' }),
  },
  '/admin/audit/list': {
    allowedCallers: manages,
    validRequest: () => ({ limit: 500 }),
    foreignRequests: ({ auditId }) => [{ body: { after: auditId + 1n }, code: 200 }],
  },
};
