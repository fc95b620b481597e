import { adminUserCreate } from '#src/contract/admin/user/create.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { insertUser } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { readLoginNames, requireCreatedUser } from '../../../logins/login-names.ts';
import { requireStrongPassword } from '../../../logins/new-password.ts';

export const adminUserCreateRoute: Route<typeof adminUserCreate> = {
  operation: adminUserCreate,
  precheck: async (_context, { app, body }) => {
    if (body.password !== undefined) requireStrongPassword(body.password, app, readLoginNames(body, app.country));
  },
  handle: async ({ storage, ceilings }, { app, body }) => {
    await ceilings.requireRoom(app.appId, 'users');
    const names = readLoginNames(body, app.country);
    const result = await insertUser(storage.home, {
      appId: app.appId,
      ...names,
      ...(body.user_id !== undefined && { userId: body.user_id }),
      ...(body.password !== undefined && { passwordHash: await hashPassword(body.password, app.appId) }),
    });
    const userId = requireCreatedUser(result);
    ceilings.add(app.appId, 'users');
    return { user_id: userId };
  },
};
