import { type Bits, hasBit, orBits } from './bits.ts';
import type { SliceChannel, SliceKey, SliceState } from './slice.ts';
import type { Lane } from './task.ts';
import { appendHistory, formatEvents, HISTORY_MAX, type TraceEvent } from './trace/trace-events.ts';

/** A slice as its database keeps it, with its targets. Instants are milliseconds of that database's time. */
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
  readonly tried: readonly SliceChannel[];
  readonly nativeSlice: number | null;
  readonly status: Buffer;
  readonly sent: Bits;
  readonly received: Bits;
  readonly deviceIds: readonly bigint[];
  readonly generations: readonly number[];
  readonly history: readonly string[];
  readonly historyDropped: number;
}

/** What a holder makes of its slice. */
export interface HolderWrite {
  /** As the holder knows it. */
  readonly claimed: { readonly epoch: number; readonly received: Bits };
  readonly status: Buffer;
  readonly sent: Bits;
  readonly state: SliceState;
  readonly dueInMs: number;
  readonly attempts: number;
  readonly historyEntries?: readonly TraceEvent[];
}

/** A receipt on a waiting slice is looked at after so long, so that others of the same moment come along. */
const RECEIPT_RECHECK_MS = 1_000;

/*
 * What the statements of `truth` do to one row. The statements run in production and these in the simulator, so each
 * names its twin: whoever changes one changes the other.
 */

/** The `where` of `claimSlices`: someone has to look at it now. */
export const isDue = ({ state, nextAt }: SliceRow, now: number): boolean => state !== 'closed' && nextAt <= now;

/** `claimSlices`: a lease and a new epoch, so that whoever held it before writes nothing any more. */
export function claim(row: SliceRow, now: number, leaseMs: number): SliceRow {
  return { ...row, state: 'leased', epoch: row.epoch + 1, nextAt: now + leaseMs };
}

/** `writeSlices`: only under the epoch of the claim. Undefined: somebody else has claimed it since, nothing changes. */
export function writeAsHolder(row: SliceRow, write: HolderWrite, now: number): SliceRow | undefined {
  if (row.epoch !== write.claimed.epoch) return undefined;
  const { status, state, attempts, dueInMs } = write;
  const entry = formatEvents(write.historyEntries ?? []);
  const history = appendHistory(row.history, entry, now);
  const historyDropped = row.historyDropped + (entry !== null && row.history.length >= HISTORY_MAX ? 1 : 0);
  const sent = orBits(row.sent, write.sent);
  // What arrived since the holder looked has hurried nothing, since the slice was not waiting yet.
  const isRecheckedSoon = state === 'waiting' && row.received !== write.claimed.received;
  const nextAt = now + (isRecheckedSoon ? Math.min(dueInMs, RECEIPT_RECHECK_MS) : dueInMs);
  return { ...row, status, sent, state, attempts, nextAt, history, historyDropped };
}

/** `markSlices`: bits are only ever added, by anybody. Undefined: the marks are of a slice of another size. */
export function mark(row: SliceRow, marks: { sent: Bits; received: Bits }, now: number): SliceRow | undefined {
  if (marks.received.length !== row.placeCount) return undefined;
  const received = orBits(row.received, marks.received);
  const sent = orBits(orBits(row.sent, marks.sent), marks.received);
  return { ...row, received, sent, nextAt: nextAtAfterReceipts(row, received, now) };
}

function nextAtAfterReceipts(
  { state, nextAt, placeCount, received: receivedBefore }: SliceRow,
  received: Bits,
  now: number,
): number {
  if (state === 'waiting' && received !== receivedBefore) return Math.min(nextAt, now + RECEIPT_RECHECK_MS);
  const isComplete = state === 'awaiting' && [...Array(placeCount).keys()].every((place) => hasBit(received, place));
  return isComplete ? now : nextAt;
}

/** `releaseSlices`: its holder has stopped, and somebody else may go on. Undefined: it is not held under this epoch any more. */
export function release(row: SliceRow, epoch: number, now: number): SliceRow | undefined {
  return row.state === 'leased' && row.epoch === epoch ? { ...row, nextAt: now } : undefined;
}

/** `reopenSlice`: its places wait in the inbox after all. The epoch rises, so nobody holds it. */
export function reopen(row: SliceRow, status: Buffer, now: number): SliceRow {
  return { ...row, status, state: 'waiting', epoch: row.epoch + 1, nextAt: now };
}

/**
 * `cancelShard`: says that the task was cancelled, without lease or epoch. One that is held is left to its holder, whose
 * next write tells it: for a leased slice `next_at` is the end of the lease, and must not come early.
 */
export function markCancelled(row: SliceRow, now: number): SliceRow {
  if (row.state === 'closed') return row;
  return { ...row, cancelled: true, nextAt: row.state === 'leased' ? row.nextAt : Math.min(row.nextAt, now) };
}
