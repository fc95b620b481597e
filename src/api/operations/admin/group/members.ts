import { adminGroupMembers } from '#src/contract/admin/group/members.ts';
import { findMembersAfter } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';
import { requireGroup } from '../../../http/require-group.ts';
import { readPage } from '../../../records/page.ts';

export const adminGroupMembersRoute: Route<typeof adminGroupMembers> = {
  operation: adminGroupMembers,
  handle: async ({ storage }, { app, body }) => {
    await requireGroup(storage.home, app.appId, body.group_id);
    return readPage(
      body,
      (after, limit) => findMembersAfter(storage.home, app.appId, body.group_id, after, limit),
      (userId) => userId,
    );
  },
};
