import { deviceBind } from '#src/contract/device/bind.ts';
import { domesticVendors, type Environment, type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
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
import { checkToken } from '#src/vendors/check-token.ts';
import type { Route } from '../../context.ts';
import { loggedOutProblem, resolveDevice } from '../../http/resolve-device.ts';

/**
 * A vendor token belongs to the device that bound it last. First the previous owner's binding ends, then the home
 * database records the new owner, then the new owner is bound.
 */
export const deviceBindRoute: Route<typeof deviceBind> = {
  operation: deviceBind,
  handle: async ({ storage, settings }, { caller, body }) => {
    const channel = vendorByProvider[body.provider] as VendorName;
    const vendorToken = checkToken(channel, body.token, settings);
    const device = await resolveDevice(storage, caller, body.push_token);
    const { appId, deviceId } = device;
    const bucket = storage.shards.dbFor(device.bucket);
    const token = { appId, channel, tokenHash: hashVendorToken(vendorToken, channel) };
    // Checked before any change, so that a request for a device that was logged out is rejected without side effects.
    const [current] = await findDevices(bucket, [device]);
    if (current?.generation !== device.generation) throw loggedOutProblem();

    await takeOverToken(storage, token, deviceId);
    const boundAt = await bindVendorToken(bucket, device, {
      channel,
      environment: (body.environment ?? 1) as Environment,
      token: vendorToken,
      domestic: (domesticVendors as readonly VendorName[]).includes(channel),
    });
    if (boundAt === undefined) throw loggedOutProblem();
    // Another device may have taken over the token before this one was bound. The device that is no longer the owner in
    // the home database loses its binding.
    if (!(await confirmVendorTokenOwner(storage.home, token, deviceId)))
      await endBindingOfDevice(storage, token, { deviceId, boundAt });
    return {};
  },
};

/** Maximum number of attempts. An attempt fails if another device takes over the token between two statements. */
const TAKEOVERS_MAX = 20;

/**
 * Ends the previous owner's binding, then records the new owner in the home database. The second step fails if the
 * previous owner has bound the token again.
 */
async function takeOverToken(storage: Storage, token: VendorToken, deviceId: bigint): Promise<void> {
  for (let tries = 0; tries < TAKEOVERS_MAX; tries++) {
    const owner = await findVendorTokenOwner(storage.home, token);
    if (owner?.deviceId === deviceId) return; // a takeover after this point is detected when the owner is confirmed
    if (owner) await endBindingOfDevice(storage, token, { deviceId: owner.deviceId });
    if (await moveVendorToken(storage.home, token, owner, deviceId)) return;
  }
  throw new Problem('service-unavailable', 'Other devices are binding this token at the same time.');
}

async function endBindingOfDevice(
  storage: Storage,
  { appId, channel, tokenHash }: VendorToken,
  device: { deviceId: bigint; boundAt?: string },
): Promise<void> {
  const bucket = bucketOfDevice(device.deviceId);
  const endReason = 'bound by another device';
  await endBindings(storage.shards.dbFor(bucket), [{ appId, bucket, channel, tokenHash, endReason, ...device }]);
}
