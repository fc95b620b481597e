import { BUCKETS, formatBucket } from './bucket.ts';

/** A device ID is a number of the database's sequence times 4,096, plus the bucket. It is less than 2^53. */
export const bucketOfDevice = (deviceId: bigint): number => Number(deviceId & BigInt(BUCKETS - 1));

/**
 * Returns a push token that starts with its bucket, so that an audience of push tokens queries only the databases that
 * it needs.
 */
export function pushTokenOf(bucket: number, random: string): string {
  return `p${formatBucket(bucket)}${random}`;
}

/** Returns the bucket of a push token, or undefined if the string is not a push token of Carillon. */
export function bucketOfPushToken(pushToken: string): number | undefined {
  const match = /^p([0-9a-f]{3})[0-9A-Za-z]{16,64}$/.exec(pushToken);
  return match ? Number.parseInt(match[1] as string, 16) : undefined;
}

/** A device is a valid target of the Carillon channel if it logged in or connected within this number of days. */
export const NATIVE_TARGET_DAYS = 30;

/**
 * Maximum number of devices per user, which is more than a user is expected to have. A further login logs out the
 * device that was seen least recently.
 */
export const DEVICES_PER_USER_MAX = 20;
