import { adminUserUpdate } from '#src/contract/admin/user/update.ts';
import { Problem } from '#src/domain/problem.ts';
import { findUser, type LoginNames, updateLoginNames } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { readLoginNames } from '../../../logins/login-names.ts';
import { toUserRecord } from '../../../records/user-record.ts';

export const adminUserUpdateRoute: Route<typeof adminUserUpdate> = {
  operation: adminUserUpdate,
  handle: async ({ truth }, { app, body }) => {
    const { user_id: userId, remove = [] } = body;
    const both = remove.find((field) => body[field] !== undefined);
    if (both !== undefined) throw new Problem('bad-parameter', `${both} is both given and to be removed.`);
    const removed: LoginNames = Object.fromEntries(remove.map((field) => [field, null]));
    const names = { ...readLoginNames(body, app.country), ...removed };
    const taken = await updateLoginNames(truth.home, app.appId, userId, names);
    if (taken) throw new Problem('already-exists', `Somebody has this ${taken}.`);
    const user = await findUser(truth.home, app.appId, { kind: 'user_id', userId });
    if (!user) throw new Problem('no-such-user');
    return toUserRecord(user);
  },
};
