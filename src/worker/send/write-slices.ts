import { setTimeout as sleep } from 'node:timers/promises';
import { noBits } from '#src/domain/bits.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { groupByDay } from '#src/domain/task.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type ShardDb } from '#src/storage/database/database.ts';
import { markSlices, type SliceBits } from '#src/storage/ledger/mark-slices.ts';
import {
  type ClaimedSlice,
  renewSlices,
  type SliceWrite,
  type WrittenSlice,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '../context.ts';
import { recordEnded } from '../record-metrics.ts';

/**
 * Writes slices of any bucket. Returns the written slices by key. Slices that another worker has since claimed are
 * absent.
 */
export async function writeSlicesOfAllShards(
  context: WorkerContext,
  writes: readonly SliceWrite[],
): Promise<ReadonlyMap<string, WrittenSlice>> {
  const groups = byDatabase(context.storage.shards, writes, ({ claimed: slice }) => slice.bucket);
  const updates = await settleAll(
    [...groups].flatMap(([db, group]) =>
      groupByDay(group, ({ claimed }) => claimed.taskId).map((ofDay) => writeSlices(db, ofDay)),
    ),
  );
  const rows = new Map(updates.flat().map((row) => [sliceKeyText(row), row]));
  recordEnded(writes.filter(({ claimed: slice }) => rows.has(sliceKeyText(slice))));
  await addSentBits(
    context,
    writes.filter(({ claimed: slice }) => !rows.has(sliceKeyText(slice))),
  );
  return rows;
}

/** Extends the leases of slices that this worker still holds. A failure in one database does not affect the others. */
export async function renewSlicesOfAllShards(context: WorkerContext, slices: readonly ClaimedSlice[]): Promise<void> {
  const leaseSeconds = context.settings.CARILLON_LEASE_SECONDS;
  const groups = byDatabase(context.storage.shards, slices, ({ bucket }) => bucket);
  await settleAll(
    [...groups].flatMap(([db, group]) =>
      groupByDay(group, ({ taskId }) => taskId).map((ofDay) => renewSlices(db, ofDay, leaseSeconds)),
    ),
  );
}

/**
 * Adds the sent bits of slices that another worker has claimed. That worker decides the statuses but may not have these
 * outcomes, so the bits are added in the same way as receipts. Bits for a database that is unavailable are added later.
 */
export async function addSentBits(
  { storage, unrecordedBits }: WorkerContext,
  rejectedWrites: readonly Pick<SliceWrite, 'claimed' | 'sent'>[],
): Promise<void> {
  const marks = rejectedWrites
    .filter(({ sent }) => sent.includes('1'))
    .map(({ claimed: { taskId, bucket, sliceNumber }, sent }) => ({
      taskId,
      bucket,
      sliceNumber,
      sent,
      received: noBits(sent.length),
    }));
  const groups = byDatabase(storage.shards, marks, ({ bucket }) => bucket);
  await Promise.all(
    [...groups].map(async ([db, group]) => {
      try {
        for (const ofDay of groupByDay(group, ({ taskId }) => taskId)) await markAll(db, ofDay);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        unrecordedBits.add(db, group);
      }
    }),
  );
}

/** Pauses before locked slices are tried again. Each is twice as long as the previous one. */
const LOCKED_PAUSE_MS_MIN = 20;
const LOCKED_PAUSE_MS_MAX = 500;
/** Longer than PostgreSQL lets a transaction of Carillon be idle. */
const LOCKED_MS_MAX = 10_000;

/** Marks slices, and repeats this for slices that another transaction has locked. */
async function markAll(db: ShardDb, marks: readonly SliceBits[]): Promise<void> {
  const beganMs = performance.now();
  let pauseMs = LOCKED_PAUSE_MS_MIN;
  let remaining = marks;
  for (;;) {
    const locked = new Set((await markSlices(db, remaining)).map(sliceKeyText));
    if (locked.size === 0) return;
    if (performance.now() - beganMs > LOCKED_MS_MAX)
      throw new Unavailable(`${locked.size} slices stayed locked for ${LOCKED_MS_MAX / 1_000} s.`);
    remaining = remaining.filter((mark) => locked.has(sliceKeyText(mark)));
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LOCKED_PAUSE_MS_MAX);
  }
}
