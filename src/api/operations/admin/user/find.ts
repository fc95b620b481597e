import { adminUserFind } from '#src/contract/admin/user/find.ts';
import type { LoginName } from '#src/domain/login-name.ts';
import { Problem } from '#src/domain/problem.ts';
import { findUser } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { requireOneOf } from '../../../http/require-one-of.ts';
import { readLoginNames } from '../../../logins/login-names.ts';
import { toUserRecord } from '../../../records/user-record.ts';

export const adminUserFindRoute: Route<typeof adminUserFind> = {
  operation: adminUserFind,
  handle: async ({ storage }, { app, body }) => {
    const kind = requireOneOf(body, ['user_id', 'name', 'mobile', 'email']);
    const login: LoginName =
      kind === 'user_id'
        ? { kind, userId: body.user_id as bigint }
        : { kind, text: readLoginNames(body, app.country)[kind] as string };
    const user = await findUser(storage.home, app.appId, login);
    if (!user) throw new Problem('no-such-user');
    return toUserRecord(user);
  },
};
