import { noBits } from '#src/domain/bits.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { byDatabase } from '#src/storage/database/database.ts';
import { markSlices, type SliceWrite, type WrittenSlice, writeSlices } from '#src/storage/ledger/slices.ts';
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
  const updates = await Promise.all([...groups].map(([db, group]) => writeSlices(db, group)));
  const rows = new Map(updates.flat().map((row) => [sliceKeyText(row), row]));
  recordEnded(writes.filter(({ claimed: slice }) => rows.has(sliceKeyText(slice))));
  await addSentBits(
    context,
    writes.filter(({ claimed: slice }) => !rows.has(sliceKeyText(slice))),
  );
  return rows;
}

/**
 * Adds the sent bits of slices that another worker has claimed. That worker decides the statuses but may not have these
 * outcomes, so the bits are added in the same way as receipts.
 */
export async function addSentBits(
  { storage }: WorkerContext,
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
  await Promise.all([...groups].map(([db, group]) => markSlices(db, group)));
}
