import { adminUserCreate } from '#src/contract/admin/user/create.ts';
import { hashPassword } from '#src/foundation/password.ts';
import { insertUser } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { readLoginNames, refuseTaken } from '../../../logins/login-names.ts';

export const adminUserCreateRoute: Route<typeof adminUserCreate> = {
  operation: adminUserCreate,
  handle: async ({ truth }, { app, body }) => {
    const names = readLoginNames(body, app.country);
    const made = await insertUser(truth.home, {
      appId: app.appId,
      ...names,
      ...(body.user_id !== undefined && { userId: body.user_id }),
      ...(body.password !== undefined && { passwordHash: await hashPassword(body.password) }),
    });
    return { user_id: refuseTaken(made) };
  },
};
