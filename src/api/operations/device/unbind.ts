import { deviceUnbind } from '#src/contract/device/unbind.ts';
import { type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { endBinding } from '#src/storage/devices/bindings.ts';
import type { Route } from '../../context.ts';
import { loggedOutProblem, resolveDevice } from '../../http/resolve-device.ts';

export const deviceUnbindRoute: Route<typeof deviceUnbind> = {
  operation: deviceUnbind,
  handle: async ({ storage }, { caller, body }) => {
    const device = await resolveDevice(storage, caller, body.push_token);
    const channel = vendorByProvider[body.provider] as VendorName;
    if (!(await endBinding(storage.shards.dbFor(device.bucket), device, channel, 'unbound'))) throw loggedOutProblem();
    return {};
  },
};
