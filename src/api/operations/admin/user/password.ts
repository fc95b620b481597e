import { adminUserPassword } from '#src/contract/admin/user/password.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import type { Route } from '../../../context.ts';
import { endAllLogins } from '../../../logins/end-logins.ts';
import { requireStrongPasswordOf } from '../../../logins/new-password.ts';

export const adminUserPasswordRoute: Route<typeof adminUserPassword> = {
  operation: adminUserPassword,
  precheck: async (context, { app, body }) => {
    if (body.password !== undefined) await requireStrongPasswordOf(context, app, body.user_id, body.password);
  },
  handle: async (context, { app, body }) => {
    const passwordHash = body.password === undefined ? null : await hashPassword(body.password, app.appId);
    await endAllLogins(context, app.appId, body.user_id, { kind: 'password', passwordHash });
    return {};
  },
};
