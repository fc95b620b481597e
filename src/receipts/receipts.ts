import { type Bits, bitsOf, noBits, orBits } from '#src/domain/bits.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { byDatabase, type ShardDb, type Shards } from '#src/truth/database.ts';
import { deleteInbox } from '#src/truth/inbox.ts';
import { markSlices, type SliceBits } from '#src/truth/slices.ts';

/** A place of a slice, as far as a receipt must name it: with the slice's number of places. */
export interface PlaceRef extends SliceKey {
  readonly place: number;
  readonly n: number;
}

/** Marks gather this long, so that a thousand receipts of a slice are one write. */
const WINDOW_MS = 50;

/** Above this, new marks are refused: their devices will be asked again, which is better than to run out of memory. */
const MARKS_WAITING_MAX = 200_000;

interface Waiting {
  readonly key: SliceKey;
  sent: Bits;
  received: Bits;
}

/**
 * The one way in which arrivals are written. Marks fold per slice and go out in windows; what PostgreSQL does not take
 * stays and is tried again, and since marks only ever add bits, being written twice changes nothing.
 */
export class Receipts {
  readonly #shards: Shards;
  readonly #loop: { stop(): Promise<void> };
  #marks = new Map<string, Waiting>();
  #inbox: { deviceId: bigint; taskId: bigint }[] = [];

  constructor(shards: Shards, log: Log) {
    this.#shards = shards;
    this.#loop = repeat({
      pauseMs: WINDOW_MS,
      work: () => this.#write(),
      onError: (error) => log.warn('receipts-wait', { error, slices: this.#marks.size }),
    });
  }

  /** The frame for this place went out to a live session. */
  addSent(ref: PlaceRef): void {
    this.#add(ref, bitsOf(ref.n, [ref.place]), noBits(ref.n));
  }

  /** The device has it. Whatever waited for it in the inbox is taken out, after the bit is safe. */
  addReceived(ref: PlaceRef, inbox?: { deviceId: bigint; taskId: bigint }): void {
    const bits = bitsOf(ref.n, [ref.place]);
    this.#add(ref, bits, bits);
    if (inbox) this.#inbox.push(inbox);
  }

  /** Writes what is left, as well as it can, and stops. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch(() => undefined);
  }

  #add(ref: PlaceRef, sent: Bits, received: Bits): void {
    const key = `${sliceKeyText(ref)}.${ref.n}`;
    const waiting = this.#marks.get(key);
    if (waiting) {
      waiting.sent = orBits(waiting.sent, sent);
      waiting.received = orBits(waiting.received, received);
    } else if (this.#marks.size < MARKS_WAITING_MAX) {
      const { taskId, shard, slice } = ref;
      this.#marks.set(key, { key: { taskId, shard, slice }, sent, received });
    }
  }

  async #write(): Promise<void> {
    if (this.#marks.size === 0) return;
    const marks = this.#marks;
    const inbox = this.#inbox;
    this.#marks = new Map();
    this.#inbox = [];
    try {
      const bits = [...marks.values()].map(({ key, sent, received }): SliceBits => ({ ...key, sent, received }));
      await Promise.all([...byDatabase(this.#shards, bits, ({ shard }) => shard)].map(writeMarks));
      const rows = inbox.map((row) => ({ ...row, shard: shardOfDevice(row.deviceId) }));
      await Promise.all(
        [...byDatabase(this.#shards, rows, ({ shard }) => shard)].map(([db, group]) => deleteInbox(db, group)),
      );
    } catch (error) {
      for (const { key, sent, received } of marks.values())
        this.#add({ ...key, place: 0, n: sent.length }, sent, received);
      this.#inbox.unshift(...inbox);
      throw error;
    }
  }
}

/** How many slices one statement marks. */
const MARKS_PER_WRITE_MAX = 1_000;

async function writeMarks([db, marks]: [ShardDb, SliceBits[]]): Promise<void> {
  const ordered = marks.sort((a, b) => Number(a.taskId - b.taskId) || a.shard - b.shard || a.slice - b.slice);
  for (let i = 0; i < ordered.length; i += MARKS_PER_WRITE_MAX)
    await markSlices(db, ordered.slice(i, i + MARKS_PER_WRITE_MAX));
}
