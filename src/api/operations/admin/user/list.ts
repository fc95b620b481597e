import { adminUserList } from '#src/contract/admin/user/list.ts';
import { findUsers } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { readPage } from '../../../records/page.ts';
import { toUserRecord } from '../../../records/user-record.ts';

export const adminUserListRoute: Route<typeof adminUserList> = {
  operation: adminUserList,
  handle: async ({ storage }, { app, body }) => {
    const page = await readPage(
      body,
      (after, limit) => findUsers(storage.home, app.appId, after, limit),
      ({ userId }) => userId,
    );
    return { ...page, list: page.list.map(toUserRecord) };
  },
};
