import { createHash } from 'node:crypto';
import { SHARDS } from './task.ts';

/** A device never moves: its shard follows from its app and guid. */
export function shardOfGuid(appId: string, deviceGuid: string): number {
  const digest = createHash('sha256').update(appId).update('\0').update(deviceGuid).digest();
  return (digest[0] as number) >> 2;
}

export const shardOfDevice = (deviceId: bigint): number => Number(deviceId & BigInt(SHARDS - 1));

/** A push token begins with its shard, so that an audience of push tokens asks only the databases it must. */
export function pushTokenOf(shard: number, random: string): string {
  return `p${shard.toString().padStart(2, '0')}${random}`;
}

/** The shard a push token names, or undefined if it is none of ours. */
export function shardOfPushToken(pushToken: string): number | undefined {
  const match = /^p(\d\d)[0-9A-Za-z]{16,64}$/.exec(pushToken);
  const shard = match ? Number(match[1]) : SHARDS;
  return shard < SHARDS ? shard : undefined;
}

/** A valid target of the own channel has logged in or connected within these days. */
export const NATIVE_TARGET_DAYS = 30;

/** More phones than people have; the one that was not seen for the longest time gives way. */
export const DEVICES_PER_USER_MAX = 20;
