import { bitsOf } from '#src/domain/bits.ts';
import type { Channel } from '#src/domain/channel.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import { LazyMap } from '#src/foundation/lazy-map.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type ShardDb, type Shards } from '#src/storage/database/database.ts';
import { deleteInboxRows } from '#src/storage/devices/inbox.ts';
import { markSlices, type SliceBits } from '#src/storage/ledger/slices.ts';
import { receiptMetrics } from './metrics.ts';

/** A place that a receipt refers to, with the number of places in its slice. */
export interface PlaceRef extends SliceKey {
  readonly index: number;
  readonly placeCount: number;
}

/** A notification in an inbox that the device has received. */
interface InboxEntry {
  readonly deviceId: bigint;
  readonly taskId: bigint;
}

/**
 * Writes all receipts. Marks are the sent and received bits of places. They are merged per slice and written at
 * intervals. Marks that PostgreSQL does not accept are kept and retried. Marks only add bits, so writing them twice has
 * no effect. Each database has a separate queue, so that an unavailable database does not delay the others.
 */
export class Receipts {
  readonly #shards: Shards;
  readonly #queues: LazyMap<ShardDb, ReceiptQueue>;

  constructor(shards: Shards, log: Log) {
    this.#shards = shards;
    this.#queues = new LazyMap((db) => new ReceiptQueue(db, shards, log));
  }

  /** Records that the frame of this place was written to a live session. */
  addSent(ref: PlaceRef): void {
    this.#queueOf(ref).marksFor(ref, 'nativepush')?.sent.add(ref.index);
  }

  /** Records that the device received the notification. Its inbox entry is deleted after the bit is committed. */
  addReceived(ref: PlaceRef, inbox?: InboxEntry): void {
    const marks = this.#queueOf(ref).marksFor(ref, 'nativepush');
    marks?.received.add(ref.index);
    if (inbox) marks?.inboxEntries.push(inbox);
  }

  /**
   * Records that the device received the notification, and resolves when the bit is committed. If the promise rejects,
   * the bit may still be written later.
   */
  recordReceived(ref: PlaceRef, channel: Channel): Promise<void> {
    const marks = this.#queueOf(ref).marksFor(ref, channel);
    if (!marks) return Promise.reject(new Unavailable('The queue of receipts for PostgreSQL is full.'));
    marks.received.add(ref.index);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    marks.waiters.push({ resolve, reject });
    return promise;
  }

  /** Writes the remaining marks if possible, and stops. */
  async stop(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  #queueOf({ bucket }: SliceKey): ReceiptQueue {
    return this.#queues.get(this.#shards.dbFor(bucket));
  }
}

/** Marks are collected for 50 ms, so that a thousand receipts for a slice need only one write. */
const WINDOW_MS = 50;
/** Maximum number of slices per statement. */
const SLICES_PER_WRITE_MAX = 1_000;
/**
 * Maximum number of queued slices, to limit memory. Further marks are dropped, and their notifications are sent to the
 * devices again.
 */
const QUEUED_SLICES_MAX = 200_000;

/** The marks to write for one slice. */
interface SliceMarks {
  readonly key: SliceKey;
  readonly placeCount: number;
  readonly channel: Channel;
  readonly sent: Set<number>;
  readonly received: Set<number>;
  readonly inboxEntries: InboxEntry[];
  /** Callers that wait for the commit. */
  readonly waiters: CommitWaiter[];
}

interface CommitWaiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The marks for the slices of one database. */
class ReceiptQueue {
  readonly #db: ShardDb;
  readonly #shards: Shards;
  readonly #loop: { stop(): Promise<void> };
  #pending = new Map<string, SliceMarks>();

  constructor(db: ShardDb, shards: Shards, log: Log) {
    this.#db = db;
    this.#shards = shards;
    this.#loop = repeat({
      pauseMs: WINDOW_MS,
      work: () => this.#write(),
      onError: (error) => log.warn('receipts-write-failed', { error, slices: this.#pending.size }),
    });
  }

  /** Returns the marks of a slice, or undefined if the queue is full. */
  marksFor(ref: Omit<PlaceRef, 'index'>, channel: Channel): SliceMarks | undefined {
    const { taskId, bucket, sliceNumber, placeCount } = ref;
    // A bitmap of the wrong length would fail the whole batch, so marks with another place count form a separate entry.
    const entryKey = `${sliceKeyText(ref)}.${placeCount}`;
    let marks = this.#pending.get(entryKey);
    if (!marks && this.#pending.size < QUEUED_SLICES_MAX) {
      marks = {
        key: { taskId, bucket, sliceNumber },
        placeCount,
        channel,
        sent: new Set(),
        received: new Set(),
        inboxEntries: [],
        waiters: [],
      };
      this.#pending.set(entryKey, marks);
    }
    return marks;
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch(() => undefined);
  }

  /** Writes in key order, because other writers lock slices in the same order. */
  async #write(): Promise<void> {
    const pending = [...this.#pending.values()].sort((a, b) => compareKeys(a.key, b.key));
    this.#pending = new Map();
    for (let i = 0; i < pending.length; i += SLICES_PER_WRITE_MAX) {
      const batch = pending.slice(i, i + SLICES_PER_WRITE_MAX);
      try {
        await this.#writeBatch(batch);
        recordReceivedMetric(batch);
        for (const { waiters } of batch) for (const { resolve } of waiters) resolve();
      } catch (error) {
        for (const marks of pending.slice(i)) this.#requeue(marks, error);
        throw error;
      }
    }
  }

  #requeue({ key, placeCount, channel, sent, received, inboxEntries, waiters }: SliceMarks, error: unknown): void {
    for (const { reject } of waiters) reject(error);
    const marks = this.marksFor({ ...key, placeCount }, channel);
    for (const place of sent) marks?.sent.add(place);
    for (const place of received) marks?.received.add(place);
    marks?.inboxEntries.push(...inboxEntries);
  }

  async #writeBatch(batch: readonly SliceMarks[]): Promise<void> {
    await markSlices(
      this.#db,
      batch.map(
        ({ key, placeCount, sent, received }): SliceBits => ({
          ...key,
          sent: bitsOf(placeCount, sent),
          received: bitsOf(placeCount, received),
        }),
      ),
    );
    const rows = batch.flatMap(({ inboxEntries }) =>
      inboxEntries.map((row) => ({ ...row, bucket: bucketOfDevice(row.deviceId) })),
    );
    const groups = byDatabase(this.#shards, rows, ({ bucket }) => bucket);
    await Promise.all([...groups].map(([db, group]) => deleteInboxRows(db, group)));
  }
}

function recordReceivedMetric(written: readonly SliceMarks[]): void {
  for (const [channel, group] of Map.groupBy(written, (marks) => marks.channel)) {
    const count = group.reduce((sum, { received }) => sum + received.size, 0);
    if (count > 0) receiptMetrics.received.inc({ channel }, count);
  }
}

function compareKeys(a: SliceKey, b: SliceKey): number {
  return a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : a.bucket - b.bucket || a.sliceNumber - b.sliceNumber;
}
