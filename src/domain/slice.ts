import type { Channel } from './channel.ts';
import { SHARDS } from './task.ts';

/** A slice holds at most so many devices of one task and one channel. */
export const SLICE_PLACES_MAX = 512;

/** `none`: devices that no channel can reach. Outside the 27 counters, seen by the trace. */
export type SliceChannel = Channel | 'none';

/**
 * Open slices are looked at again when `next_at` is due; for a leased one that is the end of its lease.
 * ready: to be sent. leased: a worker holds it. awaiting: written to devices, their answer is out. waiting: in inboxes.
 */
export type SliceState = 'ready' | 'leased' | 'awaiting' | 'waiting' | 'closed';

/** A place's byte in `status`. Below FINAL it is open: something will still be done for this device on this channel. */
export const placeStatus = {
  planned: 0,
  attempting: 1,
  retrying: 2,
  waiting: 3,
  sent: 10,
  skipped: 11,
  dead: 12,
  fellBack: 13,
  expired: 14,
  failed: 15,
  cancelled: 16,
} as const;

export type PlaceStatus = (typeof placeStatus)[keyof typeof placeStatus];

const FINAL_STATUS_MIN = 10;
export const isOpen = (status: number): boolean => status < FINAL_STATUS_MIN;

export interface SliceKey {
  readonly taskId: bigint;
  readonly shard: number;
  readonly sliceNumber: number;
}

export const sliceKeyText = ({ taskId, shard, sliceNumber }: SliceKey): string => `${taskId}.${shard}.${sliceNumber}`;

/** The slice that a notification's reference names; its text begins with the key's. Undefined: it is none of ours. */
export function parseReference(text: string): SliceKey | undefined {
  const match = /^(\d{1,16})\.(\d{1,2})\.(\d{1,10})(?:\.[\w-]{16})?$/.exec(text);
  if (!match) return undefined;
  const [, taskId, shard, sliceNumber] = match as unknown as [string, string, string, string];
  const key = { taskId: BigInt(taskId), shard: Number(shard), sliceNumber: Number(sliceNumber) };
  return key.shard < SHARDS && key.sliceNumber <= SLICE_NUMBER_MAX ? key : undefined;
}

/** Slice numbers are a PostgreSQL integer. */
const SLICE_NUMBER_MAX = 2_147_483_647;
