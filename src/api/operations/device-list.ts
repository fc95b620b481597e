import { deviceList } from '#src/contract/device-list.ts';
import { actsFor } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { findRecordsOfUser } from '#src/truth/device-records.ts';
import type { Route } from '../context.ts';
import { toDeviceRecord } from '../device-record.ts';
import { latestFirst } from '../release-devices.ts';

export const deviceListRoute: Route<typeof deviceList> = {
  operation: deviceList,
  handle: async ({ truth }, { caller }) => {
    const userId = actsFor(caller);
    if (userId === undefined)
      throw new Problem('bad-parameter', 'Name the user by the header user_id, or use /admin/device/find.');
    const found = await Promise.all(truth.shards.all.map((db) => findRecordsOfUser(db, caller.appId, userId)));
    return found.flat().sort(latestFirst).map(toDeviceRecord);
  },
};
