import { adminUserErase } from '#src/contract/admin/user/erase.ts';
import { Problem } from '#src/domain/problem.ts';
import { findErasures, insertErasure } from '#src/storage/users/erasures.ts';
import { endUserLogins, findUser } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { forgetLogins } from '../../../logins/login-limits.ts';
import { toErasureRecord } from '../../../records/erasure-record.ts';

/**
 * Deletes the user and records the erasure in one commit of the home database. From then on, no login can start. A
 * worker does the rest, in each database when it is available.
 */
export const adminUserEraseRoute: Route<typeof adminUserErase> = {
  operation: adminUserErase,
  handle: async (context, { app: { appId }, body: { user_id: userId } }) => {
    const { home, shards } = context.storage;
    const user = await findUser(home, appId, { kind: 'user_id', userId });
    const existed = await endUserLogins(home, appId, userId, { kind: 'erase' });
    if (!existed) await insertErasure(home, { appId, userId });
    const [erasure] = await findErasures(home, appId, userId, null, 1);
    if (!erasure) throw new Problem('no-such-user');
    if (existed) context.announceRevocation();
    if (user) await forgetLogins(context, appId, user);
    return toErasureRecord(shards, erasure);
  },
};
