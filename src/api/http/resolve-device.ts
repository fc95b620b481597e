import { actingUserOf, type Caller } from '#src/domain/caller.ts';
import { bucketOfDevice, bucketOfPushToken } from '#src/domain/device.ts';
import { Problem } from '#src/domain/problem.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { findDevicesByPushToken } from '#src/storage/devices/devices.ts';

/** The device that a request refers to, and its owner. */
export interface ResolvedDevice {
  readonly appId: string;
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly generation: number;
  readonly userId: bigint;
}

/**
 * Returns the device of the caller's token, or the device with the given push token if the caller may change it. A user
 * may change their own devices. An admin may change every device of the app or, when acting for a user, that user's
 * devices. For any other device, throws the same error as for an unknown device.
 */
export async function resolveDevice(
  storage: Storage,
  caller: Caller,
  pushToken: string | undefined,
): Promise<ResolvedDevice> {
  const { appId } = caller;
  if (pushToken === undefined) {
    if (caller.kind !== 'user') throw new Problem('no-such-device', 'Set push_token to choose a device.');
    if (!caller.device)
      throw new Problem(
        'no-such-device',
        'Log in with a device_guid and use that access token, or set push_token to choose a device.',
      );
    const { deviceId, generation } = caller.device;
    return { appId, bucket: bucketOfDevice(deviceId), deviceId, generation, userId: caller.userId };
  }
  const bucket = bucketOfPushToken(pushToken);
  if (bucket === undefined) throw new Problem('no-such-device');
  const [device] = await findDevicesByPushToken(storage.shards.dbFor(bucket), [{ appId, bucket, pushToken }]);
  const owner = actingUserOf(caller);
  if (!device || device.userId === null || (owner !== undefined && device.userId !== owner))
    throw new Problem('no-such-device');
  return { appId, bucket, deviceId: device.deviceId, generation: device.generation, userId: device.userId };
}

/** Returns the error for a device that was logged out during the request. */
export const loggedOutProblem = (): Problem => new Problem('no-such-device', 'The device was logged out.');
