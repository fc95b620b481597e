import { bucketOfDevice, DEVICES_PER_USER_MAX } from '#src/domain/device.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { eraseDevice, findOwnedDevices, type OwnedDevice, releaseDevice } from '#src/storage/devices/ownership.ts';
import { deleteVendorTokenOwners } from '#src/storage/devices/vendor-token-owners.ts';
import { findDatabasesOfUser } from '#src/storage/users/device-buckets.ts';
import { type DeviceGeneration, revokeDeviceTokens } from '#src/storage/users/revocations.ts';
import type { ApiContext } from '../context.ts';
import { generatePushToken } from './push-token.ts';

/**
 * Logs a device out if it still has this generation. Nothing is delivered to the device until a user logs in on it
 * again.
 */
export async function logOutDevice(
  { storage }: ApiContext,
  appId: string,
  { deviceId, generation }: DeviceGeneration,
  reason: string,
): Promise<void> {
  const bucket = bucketOfDevice(deviceId);
  const device = { appId, bucket, deviceId, generation, newPushToken: generatePushToken(bucket), endReason: reason };
  await releaseDevice(storage.shards.dbFor(bucket), device);
}

/**
 * Ends the login on one device. The tokens are revoked first: while the device still has its push token, the caller can
 * retry after an error.
 */
export async function endLoginOnDevice(context: ApiContext, appId: string, device: DeviceGeneration): Promise<void> {
  await revokeTokens(context, [device]);
  await logOutDevice(context, appId, device, 'kick');
  await revokeTokens(context, [device]); // also revokes the token of a login between the two steps
}

/** Logs a user out of every device, except one if it is given. Does not revoke the user's tokens. */
export async function logOutAllDevices(
  context: ApiContext,
  appId: string,
  userId: bigint,
  reason: string,
  exceptDeviceId: bigint | null = null,
): Promise<void> {
  const devices = await findDevicesOfUser(context, appId, userId);
  const endedDevices = devices.filter(({ deviceId }) => deviceId !== exceptDeviceId);
  await Promise.all(endedDevices.map((device) => logOutDevice(context, appId, device, reason)));
}

/**
 * If a user has more than `DEVICES_PER_USER_MAX` devices, logs out the least recently seen ones. Devices in an
 * unavailable database are not counted. A later login retires them.
 */
export async function retireOldDevices(
  context: ApiContext,
  appId: string,
  userId: bigint,
  newest: DeviceGeneration,
): Promise<void> {
  const devices = await findReachableDevices(context, appId, userId, newest);
  const others = devices.filter(({ deviceId }) => deviceId !== newest.deviceId).sort(latestFirst);
  const devicesToRetire = others.slice(DEVICES_PER_USER_MAX - 1);
  await Promise.all(devicesToRetire.map((device) => logOutDevice(context, appId, device, 'too many devices')));
  // The newest device may itself have been retired, erased or taken over before its token existed. Its tokens are
  // revoked in that case.
  const isNewestOwned = devices.length > others.length;
  await revokeTokens(context, isNewestOwned ? devicesToRetire : [...devicesToRetire, newest]);
}

/**
 * Erases devices from the home database and the shards. The home database comes first: while the device row exists, the
 * caller can retry after an error.
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
    const bucket = bucketOfDevice(deviceId);
    await eraseDevice(shards.dbFor(bucket), { appId, bucket, deviceId, generation });
  }
  await revokeTokens(context, devices); // also revokes tokens of logins on these devices during the erasure
}

async function revokeTokens(
  { storage, announceRevocation }: ApiContext,
  devices: readonly DeviceGeneration[],
): Promise<void> {
  if (devices.length > 0 && (await revokeDeviceTokens(storage.home, devices))) announceRevocation();
}

async function findDevicesOfUser({ storage }: ApiContext, appId: string, userId: bigint): Promise<OwnedDevice[]> {
  const databases = await findDatabasesOfUser(storage, { appId, userId });
  return (await Promise.all(databases.map((db) => findOwnedDevices(db, appId, userId)))).flat();
}

/** Returns a user's devices in the databases that respond, and in the database of the newest device. */
async function findReachableDevices(
  { storage }: ApiContext,
  appId: string,
  userId: bigint,
  newest: DeviceGeneration,
): Promise<OwnedDevice[]> {
  const newestDb = storage.shards.dbFor(bucketOfDevice(newest.deviceId));
  const databases = await findDatabasesOfUser(storage, { appId, userId });
  const reads = databases
    .filter((db) => db === newestDb || !db.isSilent)
    .map((db) =>
      findOwnedDevices(db, appId, userId).catch((error: unknown) => {
        if (db === newestDb || !(error instanceof Unavailable)) throw error;
        return [];
      }),
    );
  return (await Promise.all(reads)).flat();
}

/** Orders a user's devices for lists, latest first. Devices are retired in the reverse order. */
export function latestFirst(
  a: Pick<OwnedDevice, 'seenOn' | 'registeredAt'>,
  b: Pick<OwnedDevice, 'seenOn' | 'registeredAt'>,
): number {
  if (a.seenOn !== b.seenOn) return a.seenOn < b.seenOn ? 1 : -1;
  return b.registeredAt.getTime() - a.registeredAt.getTime();
}
