import { adminGroupCreate } from '#src/contract/admin/group/create.ts';
import { Problem } from '#src/domain/problem.ts';
import { insertGroup } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';

export const adminGroupCreateRoute: Route<typeof adminGroupCreate> = {
  operation: adminGroupCreate,
  handle: async ({ storage }, { app, body }) => {
    const groupId = await insertGroup(storage.home, app.appId, body.group_id, body.name);
    if (groupId === undefined) throw new Problem('already-exists', 'An existing or deleted group has this group_id.');
    return { group_id: groupId };
  },
};
