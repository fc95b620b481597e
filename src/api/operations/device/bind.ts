import { deviceBind } from '#src/contract/device/bind.ts';
import { domesticVendors, type Environment, type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { bindVendorToken, endBindings, hashVendorToken } from '#src/storage/devices/bindings.ts';
import { findDevices } from '#src/storage/devices/devices.ts';
import {
  confirmVendorTokenOwner,
  findVendorTokenOwner,
  moveVendorToken,
  type VendorToken,
} from '#src/storage/devices/vendor-token-owners.ts';
import type { Route } from '../../context.ts';
import { ownerChangedProblem, resolveDevice } from '../../http/resolve-device.ts';

/** A vendor token belongs to its newest binder: the old owner is cleared, then home is told, then the new owner has it. */
export const deviceBindRoute: Route<typeof deviceBind> = {
  operation: deviceBind,
  handle: async ({ storage }, { caller, body }) => {
    const device = await resolveDevice(storage, caller, body.push_token);
    const { appId, deviceId } = device;
    const shard = storage.shards.dbFor(device.shard);
    const channel = vendorByProvider[body.provider] as VendorName;
    const token = { appId, channel, tokenHash: hashVendorToken(body.token) };
    // Before anything is taken from anybody: whoever has lost the device is refused and changes nothing.
    const [current] = await findDevices(shard, [device]);
    if (current?.generation !== device.generation) throw ownerChangedProblem();

    await takeOverToken(storage, token, deviceId);
    const boundAt = await bindVendorToken(shard, device, {
      channel,
      environment: (body.environment ?? 1) as Environment,
      token: body.token,
      domestic: (domesticVendors as readonly VendorName[]).includes(channel),
    });
    if (boundAt === undefined) throw ownerChangedProblem();
    // Another device may have taken it before this one had it: whoever is not at home any more gives way.
    if (!(await confirmVendorTokenOwner(storage.home, token, deviceId)))
      await endBindingOfDevice(storage, token, { deviceId, boundAt });
    return {};
  },
};

/** Each time another device takes the token in the moment between two statements. */
const TAKEOVERS_MAX = 20;

/** The old owner's binding ends before home is told, and home only hears it if the old owner has not said it again. */
async function takeOverToken(storage: Storage, token: VendorToken, deviceId: bigint): Promise<void> {
  for (let tries = 0; tries < TAKEOVERS_MAX; tries++) {
    const owner = await findVendorTokenOwner(storage.home, token);
    if (owner?.deviceId === deviceId) return; // and nobody takes it without being noticed when that is confirmed
    if (owner) await endBindingOfDevice(storage, token, { deviceId: owner.deviceId });
    if (await moveVendorToken(storage.home, token, owner, deviceId)) return;
  }
  throw new Problem('service-unavailable', 'Other devices bind this token at the same time.');
}

async function endBindingOfDevice(
  storage: Storage,
  { appId, channel, tokenHash }: VendorToken,
  device: { deviceId: bigint; boundAt?: string },
): Promise<void> {
  const shard = shardOfDevice(device.deviceId);
  const endReason = 'bound by another device';
  await endBindings(storage.shards.dbFor(shard), [{ appId, shard, channel, tokenHash, endReason, ...device }]);
}
