import { bitsOf } from '#src/domain/bits.ts';
import type { Channel } from '#src/domain/channel.ts';
import { shardOfDevice } from '#src/domain/device.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type ShardDb, type Shards } from '#src/storage/database/database.ts';
import { deleteInbox } from '#src/storage/devices/inbox.ts';
import { markSlices, type SliceBits } from '#src/storage/ledger/slices.ts';
import { receiptMetrics } from './metrics.ts';

/** A place of a slice, as far as a receipt must name it: with the slice's number of places. */
export interface PlaceRef extends SliceKey {
  readonly place: number;
  readonly n: number;
}

/** A message that lay in an inbox and has arrived. */
interface Taken {
  readonly deviceId: bigint;
  readonly taskId: bigint;
}

/**
 * The one way in which arrivals are written. Marks fold per slice and go out in windows; what PostgreSQL does not take
 * stays and is tried again, and since marks only ever add bits, being written twice changes nothing. Each database has
 * a queue of its own, so that one that is away delays no other.
 */
export class Receipts {
  readonly #shards: Shards;
  readonly #queues: ReadonlyMap<ShardDb, ReceiptQueue>;

  constructor(shards: Shards, log: Log) {
    this.#shards = shards;
    this.#queues = new Map(shards.all.map((db) => [db, new ReceiptQueue(db, shards, log)]));
  }

  /** The frame for this place went out to a live session. */
  addSent(ref: PlaceRef): void {
    this.#of(ref).marksFor(ref, 'nativepush')?.sent.add(ref.place);
  }

  /** The device has it. Whatever waited for it in the inbox is taken out, after the bit is safe. */
  addReceived(ref: PlaceRef, inbox?: Taken): void {
    const marks = this.#of(ref).marksFor(ref, 'nativepush');
    marks?.received.add(ref.place);
    if (inbox) marks?.inbox.push(inbox);
  }

  /** The device has it, too; resolves when that is committed. Fails if it is not, and then the bit may come later. */
  recordReceived(ref: PlaceRef, channel: Channel): Promise<void> {
    const marks = this.#of(ref).marksFor(ref, channel);
    if (!marks) return Promise.reject(new Unavailable('Too many receipts wait for PostgreSQL.'));
    marks.received.add(ref.place);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    marks.told.push({ resolve, reject });
    return promise;
  }

  /** Writes what is left, as well as it can, and stops. */
  async stop(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  #of({ shard }: SliceKey): ReceiptQueue {
    return this.#queues.get(this.#shards.of(shard)) as ReceiptQueue;
  }
}

/** Marks gather this long, so that a thousand receipts of a slice are one write. */
const WINDOW_MS = 50;
/** How many slices one statement marks. */
const SLICES_PER_WRITE_MAX = 1_000;
/** Above this, new marks are refused: their devices will be asked again, which is better than to run out of memory. */
const SLICES_WAITING_MAX = 200_000;

/** What is to be written of a slice. */
interface Marks {
  readonly key: SliceKey;
  readonly n: number;
  readonly channel: Channel;
  readonly sent: Set<number>;
  readonly received: Set<number>;
  readonly inbox: Taken[];
  /** Who wants to know when it is committed. */
  readonly told: Told[];
}

interface Told {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The marks for slices of one database. */
class ReceiptQueue {
  readonly #db: ShardDb;
  readonly #shards: Shards;
  readonly #loop: { stop(): Promise<void> };
  #waiting = new Map<string, Marks>();

  constructor(db: ShardDb, shards: Shards, log: Log) {
    this.#db = db;
    this.#shards = shards;
    this.#loop = repeat({
      pauseMs: WINDOW_MS,
      work: () => this.#write(),
      onError: (error) => log.warn('receipts-wait', { error, slices: this.#waiting.size }),
    });
  }

  /** Where to note something of a slice. Undefined: too many wait already. */
  marksFor(ref: Omit<PlaceRef, 'place'>, channel: Channel): Marks | undefined {
    const { taskId, shard, slice, n } = ref;
    // Bits of another length would fail the whole batch, so a slice of another size is another entry.
    const name = `${sliceKeyText(ref)}.${n}`;
    let marks = this.#waiting.get(name);
    if (!marks && this.#waiting.size < SLICES_WAITING_MAX) {
      marks = { key: { taskId, shard, slice }, n, channel, sent: new Set(), received: new Set(), inbox: [], told: [] };
      this.#waiting.set(name, marks);
    }
    return marks;
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch(() => undefined);
  }

  /** In the order of their keys, since other writers lock slices in that order too. */
  async #write(): Promise<void> {
    const taken = [...this.#waiting.values()].sort((a, b) => compareKeys(a.key, b.key));
    this.#waiting = new Map();
    for (let i = 0; i < taken.length; i += SLICES_PER_WRITE_MAX) {
      const some = taken.slice(i, i + SLICES_PER_WRITE_MAX);
      try {
        await this.#writeSome(some);
        countReceived(some);
        for (const { told } of some) for (const { resolve } of told) resolve();
      } catch (error) {
        for (const marks of taken.slice(i)) this.#putBack(marks, error);
        throw error;
      }
    }
  }

  #putBack({ key, n, channel, sent, received, inbox, told }: Marks, error: unknown): void {
    for (const { reject } of told) reject(error);
    const again = this.marksFor({ ...key, n }, channel);
    for (const place of sent) again?.sent.add(place);
    for (const place of received) again?.received.add(place);
    again?.inbox.push(...inbox);
  }

  async #writeSome(some: readonly Marks[]): Promise<void> {
    await markSlices(
      this.#db,
      some.map(
        ({ key, n, sent, received }): SliceBits => ({ ...key, sent: bitsOf(n, sent), received: bitsOf(n, received) }),
      ),
    );
    const rows = some.flatMap(({ inbox }) => inbox.map((row) => ({ ...row, shard: shardOfDevice(row.deviceId) })));
    const groups = byDatabase(this.#shards, rows, ({ shard }) => shard);
    await Promise.all([...groups].map(([db, group]) => deleteInbox(db, group)));
  }
}

function countReceived(written: readonly Marks[]): void {
  for (const [channel, some] of Map.groupBy(written, (marks) => marks.channel)) {
    const count = some.reduce((sum, { received }) => sum + received.size, 0);
    if (count > 0) receiptMetrics.received.inc({ channel }, count);
  }
}

function compareKeys(a: SliceKey, b: SliceKey): number {
  return a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : a.shard - b.shard || a.slice - b.slice;
}
