import { BUCKETS } from './bucket.ts';
import type { Channel } from './channel.ts';

/** A slice has at most 512 devices of one task and one channel. */
export const SLICE_PLACES_MAX = 512;

/**
 * In a claim, a place of a vendor counts as this many places of the Carillon channel. It needs a call, and the slice
 * takes turns with others, each turn for a few places. With too many slices, the lease of a slice would end before its
 * next turn.
 */
export const VENDOR_PLACE_WEIGHT = 4;

/** Returns how much a slice counts in a claim. */
export const claimWeightOf = ({ channel, placeCount }: { channel: SliceChannel; placeCount: number }): number =>
  channel === 'nativepush' ? placeCount : VENDOR_PLACE_WEIGHT * placeCount;

/** `none` is for devices that no channel can reach. It is not part of the counters, but the trace shows it. */
export type SliceChannel = Channel | 'none';

/**
 * States of a slice. An open slice is processed again at `next_at`, which is the end of the lease for a leased slice.
 * - ready: to be sent.
 * - leased: a worker holds it.
 * - awaiting: written to devices that have not acknowledged yet.
 * - waiting: in inboxes.
 */
export type SliceState = 'ready' | 'leased' | 'awaiting' | 'waiting' | 'closed';

/**
 * The byte of a place in `status`. A place with a status below `FINAL_STATUS_MIN` is open: its delivery on this channel
 * is not finished.
 */
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

export const FINAL_STATUS_MIN = 10;
export const isOpen = (status: number): boolean => status < FINAL_STATUS_MIN;

const placeStatuses: ReadonlySet<number> = new Set(Object.values(placeStatus));

/** The columns of a slice that have one item per place. */
export interface SliceColumns {
  readonly placeCount: number;
  readonly status: Uint8Array;
  readonly sent: string;
  readonly received: string;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
}

/** Returns why the stored columns of a slice are invalid, or undefined. Such a slice can only be cancelled. */
export function sliceDefect({ placeCount, ...columns }: SliceColumns): string | undefined {
  const { status, sent, received, deviceIds, generations } = columns;
  for (const [name, { length }] of Object.entries({ status, sent, received, deviceIds, generations }))
    if (length !== placeCount) return `The column ${name} of the slice has ${length} places instead of ${placeCount}.`;
  return status.every((byte) => placeStatuses.has(byte)) ? undefined : 'The status of a place is unknown.';
}

export interface SliceKey {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly sliceNumber: number;
}

export const sliceKeyText = ({ taskId, bucket, sliceNumber }: SliceKey): string => `${taskId}.${bucket}.${sliceNumber}`;

/**
 * Returns the slice of a reference, whose text starts with the slice key. Returns undefined if the text is not a
 * reference of Carillon.
 */
export function parseReference(text: string): SliceKey | undefined {
  const match = /^(\d{1,16})\.(\d{1,4})\.(\d{1,10})(?:\.[\w-]{16})?$/.exec(text);
  if (!match) return undefined;
  const [, taskId, bucket, sliceNumber] = match as unknown as [string, string, string, string];
  const key = { taskId: BigInt(taskId), bucket: Number(bucket), sliceNumber: Number(sliceNumber) };
  return key.bucket < BUCKETS && key.sliceNumber <= SLICE_NUMBER_MAX ? key : undefined;
}

/** Slice numbers are PostgreSQL integers. */
const SLICE_NUMBER_MAX = 2_147_483_647;
