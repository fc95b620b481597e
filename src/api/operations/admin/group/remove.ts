import { adminGroupRemove } from '#src/contract/admin/group/remove.ts';
import { deleteMembers } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';
import { mustBeGroup } from '../../../http/require-group.ts';

export const adminGroupRemoveRoute: Route<typeof adminGroupRemove> = {
  operation: adminGroupRemove,
  handle: async ({ truth }, { app, body }) => {
    await mustBeGroup(truth.home, app.appId, body.group_id);
    await deleteMembers(truth.home, app.appId, body.group_id, body.list);
    return {};
  },
};
