import { deviceBind } from '#src/contract/device/bind.ts';
import { domesticVendors, type Environment, type Vendor, vendorByProvider } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { bindToken, endBindings, hashVendorToken } from '#src/storage/devices/bindings.ts';
import { findDevices } from '#src/storage/devices/devices.ts';
import { confirmBound, findBound, moveBound, type VendorToken } from '#src/storage/devices/vendor-token-owners.ts';
import type { Route } from '../../context.ts';
import { changedHands, namedDevice } from '../../http/resolve-device.ts';

/** A vendor token belongs to its newest binder: the old owner is cleared, then home is told, then the new owner has it. */
export const deviceBindRoute: Route<typeof deviceBind> = {
  operation: deviceBind,
  handle: async ({ truth }, { caller, body }) => {
    const device = await namedDevice(truth, caller, body.push_token);
    const { appId, deviceId } = device;
    const shard = truth.shards.of(device.shard);
    const channel = vendorByProvider[body.provider] as Vendor;
    const token = { appId, channel, tokenHash: hashVendorToken(body.token) };
    // Before anything is taken from anybody: whoever has lost the device is refused and changes nothing.
    const [current] = await findDevices(shard, [device]);
    if (current?.generation !== device.generation) throw changedHands();

    await takeToken(truth, token, deviceId);
    const boundAt = await bindToken(shard, device, {
      channel,
      environment: (body.environment ?? 1) as Environment,
      token: body.token,
      domestic: (domesticVendors as readonly Vendor[]).includes(channel),
    });
    if (boundAt === undefined) throw changedHands();
    // Another device may have taken it before this one had it: whoever is not at home any more gives way.
    if (!(await confirmBound(truth.home, token, deviceId))) await endAt(truth, token, { deviceId, boundAt });
    return {};
  },
};

/** Each time another device takes the token in the moment between two statements. */
const TAKES_MAX = 20;

/** The old owner's binding ends before home is told, and home only hears it if the old owner has not said it again. */
async function takeToken(truth: Truth, token: VendorToken, deviceId: bigint): Promise<void> {
  for (let tries = 0; tries < TAKES_MAX; tries++) {
    const owner = await findBound(truth.home, token);
    if (owner?.deviceId === deviceId) return; // and nobody takes it without being noticed when that is confirmed
    if (owner) await endAt(truth, token, { deviceId: owner.deviceId });
    if (await moveBound(truth.home, token, owner, deviceId)) return;
  }
  throw new Problem('try-later', 'Other devices bind this token at the same time.');
}

async function endAt(
  truth: Truth,
  { appId, channel, tokenHash }: VendorToken,
  device: { deviceId: bigint; boundAt?: string },
): Promise<void> {
  const shard = shardOfDevice(device.deviceId);
  const why = 'bound by another device';
  await endBindings(truth.shards.of(shard), [{ appId, shard, channel, tokenHash, why, ...device }]);
}
