import { adminGroupDelete } from '#src/contract/admin/group/delete.ts';
import { Problem } from '#src/domain/problem.ts';
import { deleteGroup } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';

export const adminGroupDeleteRoute: Route<typeof adminGroupDelete> = {
  operation: adminGroupDelete,
  handle: async ({ storage }, { app, body }) => {
    if (!(await deleteGroup(storage.home, app.appId, body.group_id))) throw new Problem('no-such-group');
    return {};
  },
};
