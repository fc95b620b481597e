import { adminGroupMembers } from '#src/contract/admin/group/members.ts';
import { findMembersAfter } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';
import { mustBeGroup } from '../../../http/require-group.ts';
import { pageOf } from '../../../records/page.ts';

export const adminGroupMembersRoute: Route<typeof adminGroupMembers> = {
  operation: adminGroupMembers,
  handle: async ({ truth }, { app, body }) => {
    await mustBeGroup(truth.home, app.appId, body.group_id);
    return pageOf(
      body,
      (after, limit) => findMembersAfter(truth.home, app.appId, body.group_id, after, limit),
      (userId) => userId,
    );
  },
};
