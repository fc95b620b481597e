import { adminUserToken } from '#src/contract/admin/user/token.ts';
import type { Route } from '../../../context.ts';
import { logInWithoutPassword } from '../../../logins/login.ts';

export const adminUserTokenRoute: Route<typeof adminUserToken> = {
  operation: adminUserToken,
  handle: (context, { app, body }) => logInWithoutPassword(context, app, body.user_id, body.device_guid),
};
