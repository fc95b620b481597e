import { adminGroupAdd } from '#src/contract/admin/group/add.ts';
import { Problem } from '#src/domain/problem.ts';
import { insertMembers } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';

export const adminGroupAddRoute: Route<typeof adminGroupAdd> = {
  operation: adminGroupAdd,
  handle: async ({ storage }, { app, body }) => {
    const missing = await insertMembers(storage.home, app.appId, body.group_id, body.list);
    if (missing === 'group') throw new Problem('no-such-group');
    if (missing === 'user')
      throw new Problem('no-such-user', 'At least one user in list does not exist. No members were added.');
    return {};
  },
};
