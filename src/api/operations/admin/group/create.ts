import { adminGroupCreate } from '#src/contract/admin/group/create.ts';
import { Problem } from '#src/domain/problem.ts';
import { insertGroup } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';

export const adminGroupCreateRoute: Route<typeof adminGroupCreate> = {
  operation: adminGroupCreate,
  handle: async ({ storage }, { app, body }) => {
    const groupId = await insertGroup(storage.home, app.appId, body.group_id, body.name);
    if (groupId === undefined)
      throw new Problem('already-exists', 'The group_id belongs to an existing or deleted group. Choose another ID.');
    return { group_id: groupId };
  },
};
