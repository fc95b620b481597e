import { adminUserDisable } from '#src/contract/admin/user/disable.ts';
import type { Route } from '../../../context.ts';
import { endAllLogins } from '../../../logins/end-logins.ts';

export const adminUserDisableRoute: Route<typeof adminUserDisable> = {
  operation: adminUserDisable,
  handle: async (context, { app, body }) => {
    await endAllLogins(context, app.appId, body.user_id, { kind: 'disable' });
    return {};
  },
};
