import { adminUserKick } from '#src/contract/admin/user/kick.ts';
import type { Route } from '../../../context.ts';
import { endAllLogins } from '../../../logins/end-logins.ts';

export const adminUserKickRoute: Route<typeof adminUserKick> = {
  operation: adminUserKick,
  handle: async (context, { app, body }) => {
    await endAllLogins(context, app.appId, body.user_id, { kind: 'kick' });
    return {};
  },
};
