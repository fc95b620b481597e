import { orBits } from '#src/domain/bits.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { groupByDay } from '#src/domain/task.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { markSlices, type SliceBits } from '#src/storage/ledger/mark-slices.ts';

/** Maximum number of slices. A worker holds far fewer at a time, and the lease of the oldest has ended. */
const SLICES_MAX = 10_000;

/**
 * Sent bits of notifications that a vendor has accepted, but that could not be written because their database became
 * unavailable. They are written when the database is available again, so that these notifications are not sent again.
 */
export class UnrecordedBits {
  readonly #byDatabase = new Map<ShardDb, Map<string, SliceBits>>();

  add(db: ShardDb, marks: readonly SliceBits[]): void {
    const bits = this.#byDatabase.get(db) ?? new Map<string, SliceBits>();
    this.#byDatabase.set(db, bits);
    for (const mark of marks) {
      const earlier = bits.get(sliceKeyText(mark));
      bits.set(sliceKeyText(mark), earlier ? { ...mark, sent: orBits(earlier.sent, mark.sent) } : mark);
    }
    for (const key of bits.keys()) {
      if (bits.size <= SLICES_MAX) break;
      bits.delete(key);
    }
  }

  /** The databases for which there are bits. */
  get databases(): readonly ShardDb[] {
    return [...this.#byDatabase.keys()];
  }

  /**
   * Writes the bits of a database. Each is kept until it is written, so that a concurrent call writes it too and does not
   * return earlier. Throws if some could not be written.
   */
  async write(db: ShardDb): Promise<void> {
    const bits = this.#byDatabase.get(db);
    if (!bits) return;
    for (const ofDay of groupByDay([...bits.values()], ({ taskId }) => taskId)) {
      const locked = new Set((await markSlices(db, ofDay)).map(sliceKeyText));
      for (const mark of ofDay) {
        const key = sliceKeyText(mark);
        if (!locked.has(key) && bits.get(key) === mark) bits.delete(key);
      }
    }
    if (bits.size > 0) throw new Error(`The sent bits of ${bits.size} slices could not be written yet.`);
    this.#byDatabase.delete(db);
  }
}
