import { type Bits, hasBit, orBits } from './bits.ts';
import { openPlaces } from './ledger.ts';
import type { SliceChannel, SliceKey, SliceState } from './slice.ts';
import type { Lane } from './task.ts';
import { appendHistory, formatEvents, HISTORY_MAX, type TraceEvent } from './trace/trace-events.ts';

/** A slice with its targets, as stored in its database. Times are in milliseconds of the clock of that database. */
export interface SliceRow extends SliceKey {
  readonly appId: string;
  readonly channel: SliceChannel;
  readonly lane: Lane;
  readonly placeCount: number;
  readonly state: SliceState;
  readonly epoch: number;
  readonly nextAt: number;
  readonly attempts: number;
  readonly cancelled: boolean;
  readonly failures: number;
  readonly tried: readonly SliceChannel[];
  readonly nativeSlice: number | null;
  readonly status: Buffer;
  readonly sent: Bits;
  readonly received: Bits;
  /** Null until the first click. */
  readonly clicked: Bits | null;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
  readonly history: readonly string[];
  readonly historyDropped: number;
}

/** The result that a holder writes to its slice. */
export interface HolderWrite {
  /** The epoch under which the holder claimed the slice. */
  readonly claimed: { readonly epoch: number };
  readonly status: Buffer;
  readonly sent: Bits;
  readonly state: SliceState;
  readonly dueInMs: number;
  readonly attempts: number;
  readonly historyEntries?: readonly TraceEvent[];
}

/*
 * The effects of the SQL statements of `src/storage` on one row. Production runs the statements and the simulation runs
 * these functions, so each function names its statement. Change both together.
 */

/** The `where` clause of `claimSlices`: the slice is open and due. */
export const isDue = ({ state, nextAt }: SliceRow, now: number): boolean => state !== 'closed' && nextAt <= now;

/** `claimSlices`: sets a lease and increases the epoch, so that writes of the previous holder are ignored. */
export function claim(row: SliceRow, now: number, leaseMs: number): SliceRow {
  return { ...row, state: 'leased', epoch: row.epoch + 1, nextAt: now + leaseMs };
}

/**
 * `writeSlices`: writes only under the epoch of the claim. Returns undefined if another worker has claimed the slice
 * since.
 */
export function writeAsHolder(row: SliceRow, write: HolderWrite, now: number): SliceRow | undefined {
  if (row.epoch !== write.claimed.epoch) return undefined;
  const { status, state, attempts, dueInMs } = write;
  const entry = formatEvents(write.historyEntries ?? []);
  const history = appendHistory(row.history, entry, now);
  const historyDropped = row.historyDropped + (entry !== null && row.history.length >= HISTORY_MAX ? 1 : 0);
  const sent = orBits(row.sent, write.sent);
  // The last receipts may have been recorded after the claim, when the slice was not waiting yet.
  const isComplete = state === 'waiting' && openPlaces(status, row.received).length === 0;
  const nextAt = now + (isComplete ? 0 : dueInMs);
  const failures = state === 'leased' ? row.failures : 0;
  return { ...row, status, sent, state, attempts, failures, nextAt, history, historyDropped };
}

/**
 * `markSlices`: adds bits without checking the epoch, because bits are never cleared. Returns undefined if the marks
 * belong to a slice of another size.
 */
export function mark(
  row: SliceRow,
  marks: { sent: Bits; received: Bits; clicked?: Bits | undefined },
  now: number,
): SliceRow | undefined {
  if (marks.received.length !== row.placeCount) return undefined;
  const received = orBits(row.received, marks.received);
  const sent = orBits(orBits(row.sent, marks.sent), marks.received);
  const clicked =
    row.clicked && marks.clicked ? orBits(row.clicked, marks.clicked) : (row.clicked ?? marks.clicked ?? null);
  return { ...row, received, sent, clicked, nextAt: nextAtAfterReceipts(row, received, now) };
}

function nextAtAfterReceipts({ state, nextAt, placeCount, status }: SliceRow, received: Bits, now: number): number {
  if (state === 'waiting') return openPlaces(status, received).length === 0 ? Math.min(nextAt, now) : nextAt;
  const isComplete = state === 'awaiting' && [...Array(placeCount).keys()].every((place) => hasBit(received, place));
  return isComplete ? now : nextAt;
}

/**
 * `releaseSlices`: makes a slice due because its holder has stopped, so that another worker can take it over. Returns
 * undefined if it is no longer held under this epoch.
 */
export function release(row: SliceRow, epoch: number, now: number): SliceRow | undefined {
  return isHeld(row, epoch) ? { ...row, nextAt: now } : undefined;
}

/** `renewSlices`: extends the lease. Returns undefined if the slice is no longer held under this epoch. */
export function renew(row: SliceRow, epoch: number, now: number, leaseMs: number): SliceRow | undefined {
  return isHeld(row, epoch) ? { ...row, nextAt: now + leaseMs } : undefined;
}

const isHeld = ({ state, epoch }: SliceRow, claimEpoch: number): boolean => state === 'leased' && epoch === claimEpoch;

/**
 * `reclaimSlice`: gives the holder of a slice a new claim. Returns undefined if it is no longer held under this epoch.
 */
export function reclaim(row: SliceRow, epoch: number, now: number, leaseMs: number): SliceRow | undefined {
  return isHeld(row, epoch) ? claim(row, now, leaseMs) : undefined;
}

/**
 * `recordSliceFailure`: ends the claim of a slice that failed alone. It is due after a pause. Without a pause, it is
 * quarantined: it is never due. Returns undefined if it is no longer held under this epoch.
 */
export function recordFailure(
  row: SliceRow,
  epoch: number,
  pausesSeconds: readonly number[],
  now: number,
): SliceRow | undefined {
  if (!isHeld(row, epoch)) return undefined;
  const nextAt = now + (pausesSeconds[row.failures] ?? Number.POSITIVE_INFINITY) * 1_000;
  return { ...row, state: 'ready', epoch: epoch + 1, failures: row.failures + 1, nextAt };
}

/** `reopenSlice`: returns the places of a slice to the inbox. The epoch increases, so the slice has no holder. */
export function reopen(row: SliceRow, status: Buffer, now: number): SliceRow {
  return { ...row, status, state: 'waiting', epoch: row.epoch + 1, nextAt: now };
}

/**
 * `cancelTaskInShards`: marks a slice as cancelled without claiming it. A leased slice stays with its holder, which
 * reads the mark with its next write. The `next_at` of a leased slice is the end of the lease and must not become
 * earlier.
 */
export function markCancelled(row: SliceRow, now: number): SliceRow {
  if (row.state === 'closed') return row;
  return { ...row, cancelled: true, nextAt: row.state === 'leased' ? row.nextAt : Math.min(row.nextAt, now) };
}
