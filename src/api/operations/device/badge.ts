import { deviceBadge } from '#src/contract/device/badge.ts';
import { setBadge } from '#src/storage/devices/badges.ts';
import type { Route } from '../../context.ts';
import { changedHands, namedDevice } from '../../http/resolve-device.ts';

export const deviceBadgeRoute: Route<typeof deviceBadge> = {
  operation: deviceBadge,
  handle: async ({ truth }, { caller, body }) => {
    const device = await namedDevice(truth, caller, body.push_token);
    const badge = body.badge ?? 0;
    if (!(await setBadge(truth.shards.of(device.shard), device, badge))) throw changedHands();
    return { badge };
  },
};
