import { adminGroupRemove } from '#src/contract/admin/group/remove.ts';
import { deleteMembers } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';
import { requireGroup } from '../../../http/require-group.ts';

export const adminGroupRemoveRoute: Route<typeof adminGroupRemove> = {
  operation: adminGroupRemove,
  handle: async ({ storage }, { app, body }) => {
    await requireGroup(storage.home, app.appId, body.group_id);
    await deleteMembers(storage.home, app.appId, body.group_id, body.list);
    return {};
  },
};
