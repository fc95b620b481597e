import { deviceBadge } from '#src/contract/device/badge.ts';
import { setBadge } from '#src/storage/devices/badges.ts';
import type { Route } from '../../context.ts';
import { loggedOutProblem, resolveDevice } from '../../http/resolve-device.ts';

export const deviceBadgeRoute: Route<typeof deviceBadge> = {
  operation: deviceBadge,
  handle: async ({ storage }, { caller, body }) => {
    const device = await resolveDevice(storage, caller, body.push_token);
    const badge = body.badge ?? 0;
    if (!(await setBadge(storage.shards.dbFor(device.bucket), device, badge))) throw loggedOutProblem();
    return { badge };
  },
};
