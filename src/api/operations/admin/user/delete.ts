import { adminUserDelete } from '#src/contract/admin/user/delete.ts';
import { Problem } from '#src/domain/problem.ts';
import { findDevicesToErase } from '#src/storage/devices/ownership.ts';
import { findDatabasesOfUser } from '#src/storage/users/device-buckets.ts';
import { endUserLogins, wasErased } from '#src/storage/users/users.ts';
import type { Route } from '../../../context.ts';
import { eraseDevices } from '../../../logins/release-devices.ts';

/**
 * Deletes the user first, so that no new login can start. Then erases the devices, including those that an earlier
 * attempt left.
 */
export const adminUserDeleteRoute: Route<typeof adminUserDelete> = {
  operation: adminUserDelete,
  handle: async (context, { app, body }) => {
    const { home } = context.storage;
    const { appId } = app;
    const exists = await endUserLogins(home, appId, body.user_id, { kind: 'delete' });
    if (!exists && !(await wasErased(home, appId, body.user_id))) throw new Problem('no-such-user');
    context.announceRevocation();
    const databases = await findDatabasesOfUser(context.storage, { appId, userId: body.user_id });
    const devices = await Promise.all(databases.map((db) => findDevicesToErase(db, appId, body.user_id)));
    await eraseDevices(context, appId, devices.flat());
    return {};
  },
};
