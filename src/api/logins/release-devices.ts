import { DEVICES_PER_USER_MAX, shardOfDevice } from '#src/domain/device.ts';
import { eraseDevice, findOwnedDevices, type OwnedDevice, releaseDevice } from '#src/storage/devices/ownership.ts';
import { forgetBound } from '#src/storage/devices/vendor-token-owners.ts';
import { type DeviceUntil, revokeDeviceTokens } from '#src/storage/users/revocations.ts';
import type { ApiContext } from '../context.ts';
import { newPushToken } from './push-token.ts';

/** Logs one device out, if it is still of this generation: nothing is delivered to it until somebody logs in on it again. */
export async function releaseOne(
  { truth }: ApiContext,
  appId: string,
  { deviceId, generation }: DeviceUntil,
  why: string,
): Promise<void> {
  const shard = shardOfDevice(deviceId);
  const device = { appId, shard, deviceId, generation, newPushToken: newPushToken(shard), why };
  await releaseDevice(truth.shards.of(shard), device);
}

/** Logs a user out of every device. Their tokens are another matter. */
export async function releaseAll(context: ApiContext, appId: string, userId: bigint, why: string): Promise<void> {
  const devices = await findOwned(context, appId, userId);
  await Promise.all(devices.map((device) => releaseOne(context, appId, device, why)));
}

/** A user has so many devices at most: those that were not seen for the longest time are logged out. */
export async function retireOldDevices(
  context: ApiContext,
  appId: string,
  userId: bigint,
  newest: DeviceUntil,
): Promise<void> {
  const devices = await findOwned(context, appId, userId);
  const others = devices.filter(({ deviceId }) => deviceId !== newest.deviceId).sort(latestFirst);
  const retired = others.slice(DEVICES_PER_USER_MAX - 1);
  await Promise.all(retired.map((device) => releaseOne(context, appId, device, 'too many devices')));
  // The newest may be gone itself: retired, erased or taken by another before its token was there to be ended.
  const isThere = devices.length > others.length;
  await endTokens(context, isThere ? retired : [...retired, newest]);
}

/**
 * Nothing is left of these devices, here or at home. Home first: while a device is there, whoever hears an error can
 * say it again.
 */
export async function eraseDevices(context: ApiContext, appId: string, devices: readonly DeviceUntil[]): Promise<void> {
  const { home, shards } = context.truth;
  await forgetBound(
    home,
    devices.map(({ deviceId }) => deviceId),
  );
  await endTokens(context, devices);
  for (const { deviceId, generation } of devices) {
    const shard = shardOfDevice(deviceId);
    await eraseDevice(shards.of(shard), { appId, shard, deviceId, generation });
  }
  await endTokens(context, devices); // also of whoever has logged in on one of them in these moments
}

async function endTokens({ truth, tellRevoked }: ApiContext, devices: readonly DeviceUntil[]): Promise<void> {
  if (devices.length > 0 && (await revokeDeviceTokens(truth.home, devices))) tellRevoked();
}

async function findOwned({ truth }: ApiContext, appId: string, userId: bigint): Promise<OwnedDevice[]> {
  return (await Promise.all(truth.shards.all.map((db) => findOwnedDevices(db, appId, userId)))).flat();
}

/** The order in which a user's devices are told, and the reverse of that in which they give way. */
export function latestFirst(
  a: Pick<OwnedDevice, 'seenOn' | 'registeredAt'>,
  b: Pick<OwnedDevice, 'seenOn' | 'registeredAt'>,
): number {
  if (a.seenOn !== b.seenOn) return a.seenOn < b.seenOn ? 1 : -1;
  return b.registeredAt.getTime() - a.registeredAt.getTime();
}
