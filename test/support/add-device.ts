import { USER_TOKEN_PREFIX } from '#src/api/http/authenticate.ts';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { randomText, withChecksum } from '#src/foundation/random-text.ts';
import type { HomeDb, Storage } from '#src/storage/database/database.ts';
import { bindVendorToken } from '#src/storage/devices/bindings.ts';
import { registerDevice } from '#src/storage/devices/ownership.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { addDeviceBucket } from '#src/storage/users/device-buckets.ts';
import { insertUserToken } from '#src/storage/users/tokens.ts';
import { insertUser } from '#src/storage/users/users.ts';
import type { Login } from './carillon.ts';

/** Adds a user without a password, for tests with many users, because hashing their passwords would take too long. */
export async function addUser(db: HomeDb, appId: string): Promise<bigint> {
  return (await insertUser(db, { appId })) as bigint;
}

/**
 * Adds a device and its token directly to the databases, in the same state as after a login. `apnsToken` is its APNs
 * token.
 */
export async function addDevice(
  storage: Storage,
  options: { appId: string; userId: bigint; deviceGuid: string; apnsToken?: string },
): Promise<Login> {
  const { appId, userId, deviceGuid, apnsToken } = options;
  const bucket = bucketOfGuid(appId, deviceGuid);
  const db = storage.shards.dbFor(bucket);
  await addDeviceBucket(storage.home, { appId, userId }, bucket);
  const { deviceId, generation, pushToken } = await registerDevice(db, {
    appId,
    bucket,
    deviceGuid,
    userId,
    newPushToken: pushTokenOf(bucket, randomText(160)),
    registeredAt: await readClock(storage.home),
  });
  if (apnsToken !== undefined)
    await bindVendorToken(
      db,
      { appId, bucket, deviceId, generation },
      { channel: 'apns', environment: 1, token: apnsToken, domestic: false },
    );
  const token = await addUserToken(storage.home, { appId, userId, deviceId, generation });
  return { token, push_token: pushToken, deviceGuid };
}

/** Adds a user token, with or without a device. */
export async function addUserToken(
  db: HomeDb,
  options: { appId: string; userId: bigint; deviceId?: bigint; generation?: number },
): Promise<string> {
  const token = withChecksum(USER_TOKEN_PREFIX + randomText(256));
  const { appId, userId, deviceId = null, generation = null } = options;
  await insertUserToken(db, token, { appId, userId, deviceId, generation, validDays: 1 });
  return token;
}
