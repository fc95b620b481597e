import { adminGroupList } from '#src/contract/admin/group/list.ts';
import { findGroups } from '#src/storage/users/groups.ts';
import type { Route } from '../../../context.ts';
import { readPage } from '../../../records/page.ts';

export const adminGroupListRoute: Route<typeof adminGroupList> = {
  operation: adminGroupList,
  handle: async ({ storage }, { app, body }) => {
    const read = (after: bigint | null, limit: number) => findGroups(storage.home, app.appId, after, limit);
    const { list, next } = await readPage(body, read, ({ groupId }) => groupId);
    return { list: list.map(({ groupId, name }) => ({ group_id: groupId, name })), next };
  },
};
