import { adminDeviceLogout } from '#src/contract/admin/device/logout.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Route } from '../../../context.ts';
import { endLoginOnDevice } from '../../../logins/release-devices.ts';
import { findDeviceRecord } from '../../../records/find-device-record.ts';

export const adminDeviceLogoutRoute: Route<typeof adminDeviceLogout> = {
  operation: adminDeviceLogout,
  handle: async (context, { app: { appId }, body }) => {
    const device = await findDeviceRecord(context.storage, appId, body.push_token);
    if (!device) throw new Problem('no-such-device');
    await endLoginOnDevice(context, appId, device);
    return {};
  },
};
