import { deviceUnbind } from '#src/contract/device/unbind.ts';
import { type Vendor, vendorByProvider } from '#src/domain/channel.ts';
import { endBinding } from '#src/storage/devices/bindings.ts';
import type { Route } from '../../context.ts';
import { changedHands, namedDevice } from '../../http/resolve-device.ts';

export const deviceUnbindRoute: Route<typeof deviceUnbind> = {
  operation: deviceUnbind,
  handle: async ({ truth }, { caller, body }) => {
    const device = await namedDevice(truth, caller, body.push_token);
    const channel = vendorByProvider[body.provider] as Vendor;
    if (!(await endBinding(truth.shards.of(device.shard), device, channel, 'unbound'))) throw changedHands();
    return {};
  },
};
