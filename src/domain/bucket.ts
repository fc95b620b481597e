import { createHash, randomInt } from 'node:crypto';

/**
 * Devices, users, tasks and idempotency keys belong to one of 4,096 buckets. The bucket is part of device IDs, task IDs
 * and tokens, so this number can never change. A map in the home database assigns ranges of buckets to databases.
 */
export const BUCKETS = 4_096;
export const BUCKET_BITS = 12n;

/** Returns the bucket of a key: the first 12 bits of the SHA-256 hash of its parts, which are separated by NUL. */
function bucketOfKey(...parts: readonly string[]): number {
  const digest = createHash('sha256').update(parts.join('\0')).digest();
  return digest.readUInt16BE(0) >> 4;
}

/** Returns the bucket of a device, which depends only on the app and the guid. A device never changes its bucket. */
export const bucketOfGuid = (appId: string, deviceGuid: string): number => bucketOfKey(appId, deviceGuid);

/** Returns the bucket of a user. A hash is used because callers choose user IDs. */
export const bucketOfUser = (appId: string, userId: bigint): number => bucketOfKey(appId, userId.toString());

/**
 * Returns the bucket of an idempotency key. The task has the same bucket, so that a single database can commit both.
 */
export const bucketOfRequestKey = (key: { appId: string; author: string; requestId: string }): number =>
  bucketOfKey(key.appId, key.author, key.requestId);

const ATTEMPTS_MAX = 16;

/**
 * Returns the bucket of a new task: that of its idempotency key, or a random one. A random bucket is chosen among those
 * whose database is available, as far as this process knows.
 */
export function bucketOfNewTask(
  { appId, author, requestId }: { appId: string; author: string; requestId: string | null },
  isAvailable: (bucket: number) => boolean,
): number {
  if (requestId !== null) return bucketOfRequestKey({ appId, author, requestId });
  let bucket = randomInt(BUCKETS);
  for (let attempt = 1; attempt < ATTEMPTS_MAX && !isAvailable(bucket); attempt++) bucket = randomInt(BUCKETS);
  return bucket;
}

/** Formats a bucket as three hexadecimal digits, as it is part of push tokens and access tokens. */
export const formatBucket = (bucket: number): string => bucket.toString(16).padStart(3, '0');

/** Consecutive buckets, both inclusive. */
export interface BucketRange {
  readonly firstBucket: number;
  readonly lastBucket: number;
}
