import { deviceList } from '#src/contract/device/list.ts';
import { actingUserOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { findRecordsOfUser } from '#src/storage/devices/device-records.ts';
import { findDatabasesOfUser } from '#src/storage/users/device-buckets.ts';
import type { Route } from '../../context.ts';
import { latestFirst } from '../../logins/release-devices.ts';
import { toDeviceRecord } from '../../records/device-record.ts';

export const deviceListRoute: Route<typeof deviceList> = {
  operation: deviceList,
  handle: async ({ storage }, { caller }) => {
    const userId = actingUserOf(caller);
    if (userId === undefined)
      throw new Problem('bad-parameter', 'Set the user_id header to choose the user, or use /admin/device/find.');
    const databases = await findDatabasesOfUser(storage, { appId: caller.appId, userId });
    const devicesPerDatabase = await Promise.all(databases.map((db) => findRecordsOfUser(db, caller.appId, userId)));
    return devicesPerDatabase.flat().sort(latestFirst).map(toDeviceRecord);
  },
};
