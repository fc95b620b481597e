import { DEVICES_PER_USER_MAX, shardOfDevice } from '#src/domain/device.ts';
import { eraseDevice, findOwnedDevices, type OwnedDevice, releaseDevice } from '#src/storage/devices/ownership.ts';
import { deleteVendorTokenOwners } from '#src/storage/devices/vendor-token-owners.ts';
import { type DeviceGeneration, revokeDeviceTokens } from '#src/storage/users/revocations.ts';
import type { ApiContext } from '../context.ts';
import { generatePushToken } from './push-token.ts';

/** Logs one device out, if it is still of this generation: nothing is delivered to it until somebody logs in on it again. */
export async function logOutDevice(
  { storage }: ApiContext,
  appId: string,
  { deviceId, generation }: DeviceGeneration,
  reason: string,
): Promise<void> {
  const shard = shardOfDevice(deviceId);
  const device = { appId, shard, deviceId, generation, newPushToken: generatePushToken(shard), endReason: reason };
  await releaseDevice(storage.shards.dbFor(shard), device);
}

/** Logs a user out of every device. Their tokens are another matter. */
export async function logOutAllDevices(
  context: ApiContext,
  appId: string,
  userId: bigint,
  reason: string,
): Promise<void> {
  const devices = await findDevicesOfUser(context, appId, userId);
  await Promise.all(devices.map((device) => logOutDevice(context, appId, device, reason)));
}

/** A user has so many devices at most: those that were not seen for the longest time are logged out. */
export async function retireOldDevices(
  context: ApiContext,
  appId: string,
  userId: bigint,
  newest: DeviceGeneration,
): Promise<void> {
  const devices = await findDevicesOfUser(context, appId, userId);
  const others = devices.filter(({ deviceId }) => deviceId !== newest.deviceId).sort(latestFirst);
  const devicesToRetire = others.slice(DEVICES_PER_USER_MAX - 1);
  await Promise.all(devicesToRetire.map((device) => logOutDevice(context, appId, device, 'too many devices')));
  // The newest may be gone itself: retired, erased or taken by another before its token was there to be ended.
  const isNewestOwned = devices.length > others.length;
  await revokeTokens(context, isNewestOwned ? devicesToRetire : [...devicesToRetire, newest]);
}

/**
 * Nothing is left of these devices, here or at home. Home first: while a device is there, whoever hears an error can
 * say it again.
 */
export async function eraseDevices(
  context: ApiContext,
  appId: string,
  devices: readonly DeviceGeneration[],
): Promise<void> {
  const { home, shards } = context.storage;
  await deleteVendorTokenOwners(
    home,
    devices.map(({ deviceId }) => deviceId),
  );
  await revokeTokens(context, devices);
  for (const { deviceId, generation } of devices) {
    const shard = shardOfDevice(deviceId);
    await eraseDevice(shards.dbFor(shard), { appId, shard, deviceId, generation });
  }
  await revokeTokens(context, devices); // also of whoever has logged in on one of them in these moments
}

async function revokeTokens(
  { storage, announceRevocation }: ApiContext,
  devices: readonly DeviceGeneration[],
): Promise<void> {
  if (devices.length > 0 && (await revokeDeviceTokens(storage.home, devices))) announceRevocation();
}

async function findDevicesOfUser({ storage }: ApiContext, appId: string, userId: bigint): Promise<OwnedDevice[]> {
  return (await Promise.all(storage.shards.all.map((db) => findOwnedDevices(db, appId, userId)))).flat();
}

/** The order in which a user's devices are told, and the reverse of that in which they give way. */
export function latestFirst(
  a: Pick<OwnedDevice, 'seenOn' | 'registeredAt'>,
  b: Pick<OwnedDevice, 'seenOn' | 'registeredAt'>,
): number {
  if (a.seenOn !== b.seenOn) return a.seenOn < b.seenOn ? 1 : -1;
  return b.registeredAt.getTime() - a.registeredAt.getTime();
}
