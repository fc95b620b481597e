import { createHash } from 'node:crypto';
import { SHARDS } from './task.ts';

/**
 * Returns the shard of a device. The shard depends only on the app and the guid, so a device never moves to another
 * shard.
 */
export function shardOfGuid(appId: string, deviceGuid: string): number {
  const digest = createHash('sha256').update(appId).update('\0').update(deviceGuid).digest();
  return (digest[0] as number) >> 2;
}

export const shardOfDevice = (deviceId: bigint): number => Number(deviceId & BigInt(SHARDS - 1));

/**
 * Returns a push token that starts with its shard, so that an audience of push tokens queries only the databases that
 * it needs.
 */
export function pushTokenOf(shard: number, random: string): string {
  return `p${shard.toString().padStart(2, '0')}${random}`;
}

/** Returns the shard of a push token, or undefined if the string is not a push token of Carillon. */
export function shardOfPushToken(pushToken: string): number | undefined {
  const match = /^p(\d\d)[0-9A-Za-z]{16,64}$/.exec(pushToken);
  const shard = match ? Number(match[1]) : SHARDS;
  return shard < SHARDS ? shard : undefined;
}

/** A device is a valid target of the Carillon channel if it logged in or connected within this number of days. */
export const NATIVE_TARGET_DAYS = 30;

/**
 * Maximum number of devices per user, which is more than a user is expected to have. A further login logs out the
 * device that was seen least recently.
 */
export const DEVICES_PER_USER_MAX = 20;
