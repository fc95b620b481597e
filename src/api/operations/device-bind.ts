import { deviceBind } from '#src/contract/device-bind.ts';
import { domesticVendors, type Environment, type Vendor, vendorByProvider } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import { findBound, saveBound } from '#src/truth/bound.ts';
import { bindToken, endBindings, hashVendorToken } from '#src/truth/devices.ts';
import type { Route } from '../context.ts';

/** A vendor token belongs to its newest binder: the old owner is cleared, then home is told, then the new owner has it. */
export const deviceBindRoute: Route<typeof deviceBind> = {
  operation: deviceBind,
  handle: async ({ truth }, { caller, body }) => {
    if (caller.kind !== 'user' || !caller.device)
      throw new Problem('no-such-device', 'Log in with a device_guid and use that token.');
    const { appId } = caller;
    const { deviceId, generation } = caller.device;
    const channel = vendorByProvider[body.provider] as Vendor;
    const tokenHash = hashVendorToken(body.token);

    const owner = await findBound(truth.home, appId, channel, tokenHash);
    const endAt = async (device: bigint) => {
      const shard = shardOfDevice(device);
      const ended = { appId, shard, deviceId: device, channel, tokenHash, why: 'bound by another device' };
      await endBindings(truth.shards.of(shard), [ended]);
    };
    if (owner !== undefined && owner !== deviceId) await endAt(owner);
    await saveBound(truth.home, appId, channel, tokenHash, deviceId);
    const shard = shardOfDevice(deviceId);
    const bound = await bindToken(
      truth.shards.of(shard),
      { appId, shard, deviceId, generation },
      {
        channel,
        environment: (body.environment ?? 1) as Environment,
        token: body.token,
        domestic: (domesticVendors as readonly Vendor[]).includes(channel),
      },
    );
    if (!bound) throw new Problem('no-such-device', 'Someone else has logged in on this device.');
    // Two devices may bind one token at the same moment: whoever finds the other at home gives way.
    if ((await findBound(truth.home, appId, channel, tokenHash)) !== deviceId) await endAt(deviceId);
    return {};
  },
};
