import { adminUserUpdate } from '#src/contract/admin/user/update.ts';
import { Problem } from '#src/domain/problem.ts';
import { findUser, type LoginNames, updateLoginNames } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { readLoginNames } from '../../../logins/login-names.ts';
import { toUserRecord } from '../../../records/user-record.ts';

export const adminUserUpdateRoute: Route<typeof adminUserUpdate> = {
  operation: adminUserUpdate,
  handle: async ({ storage }, { app, body }) => {
    const { user_id: userId, remove = [] } = body;
    const conflictingField = remove.find((field) => body[field] !== undefined);
    if (conflictingField !== undefined)
      throw new Problem(
        'bad-parameter',
        `${conflictingField} is both set and listed in remove. Send only one of the two.`,
      );
    const removedNames: LoginNames = Object.fromEntries(remove.map((field) => [field, null]));
    const names = { ...readLoginNames(body, app.country), ...removedNames };
    const duplicateField = await updateLoginNames(storage.home, app.appId, userId, names);
    if (duplicateField) throw new Problem('already-exists', `Another user already has this ${duplicateField}.`);
    const user = await findUser(storage.home, app.appId, { kind: 'user_id', userId });
    if (!user) throw new Problem('no-such-user');
    return toUserRecord(user);
  },
};
