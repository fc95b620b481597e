import { adminUserEnable } from '#src/contract/admin/user/enable.ts';
import { Problem } from '#src/domain/problem.ts';
import { enableUser } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';

export const adminUserEnableRoute: Route<typeof adminUserEnable> = {
  operation: adminUserEnable,
  handle: async ({ storage }, { app, body }) => {
    if (!(await enableUser(storage.home, app.appId, body.user_id))) throw new Problem('no-such-user');
    return {};
  },
};
