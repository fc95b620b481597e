import { setTimeout as sleep } from 'node:timers/promises';
import { bitsOf } from '#src/domain/bits.ts';
import type { Channel } from '#src/domain/channel.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import { groupByDay } from '#src/domain/task.ts';
import { LazyMap } from '#src/foundation/lazy-map.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { ShardDb, Shards } from '#src/storage/database/database.ts';
import { deleteInboxRows } from '#src/storage/devices/inbox.ts';
import { markSlices, type SliceBits } from '#src/storage/ledger/mark-slices.ts';
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
 * intervals. Marks that PostgreSQL does not accept are kept and retried, as are the marks of slices that another
 * transaction has locked. Marks only add bits, so writing them twice has no effect. Each database has a separate queue,
 * so that an unavailable database does not delay the others. Inbox entries are deleted separately, because a device can
 * be in another database than the slice.
 */
export class Receipts {
  readonly #shards: Shards;
  readonly #queues: LazyMap<ShardDb, ReceiptQueue>;
  readonly #inboxQueues: LazyMap<ShardDb, InboxDeletionQueue>;

  constructor(shards: Shards, log: Log) {
    this.#shards = shards;
    this.#inboxQueues = new LazyMap((db) => new InboxDeletionQueue(db, log));
    const deleteFromInbox = (entries: readonly InboxEntry[]) => {
      for (const entry of entries) this.#inboxQueues.get(shards.dbFor(bucketOfDevice(entry.deviceId))).add(entry);
    };
    this.#queues = new LazyMap((db) => new ReceiptQueue(db, deleteFromInbox, log));
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
   * Records that the device received the notification, or that the user clicked it, and resolves when the bits are
   * committed. If the promise rejects, the bits may still be written later.
   */
  recordReceived(ref: PlaceRef, channel: Channel, { isClick = false } = {}): Promise<void> {
    const marks = this.#queueOf(ref).marksFor(ref, channel);
    if (!marks) return Promise.reject(queueFull());
    marks.received.add(ref.index);
    if (isClick) marks.clicked.add(ref.index);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    marks.waiters.push({ resolve, reject });
    return promise;
  }

  /** Writes the remaining marks if possible, and stops. */
  async stop(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
    await Promise.all([...this.#inboxQueues.values()].map((queue) => queue.stop()));
  }

  #queueOf({ bucket }: SliceKey): ReceiptQueue {
    return this.#queues.get(this.#shards.dbFor(bucket));
  }
}

/** Marks are collected for 50 ms, so that a thousand receipts for a slice need only one write. */
const WINDOW_MS = 50;
/** Pause after a failed write. */
const RETRY_MS = 1_000;
/**
 * Maximum time to wait for locked slices when the process stops. A transaction normally ends within milliseconds. The
 * remaining marks are dropped, and their notifications are sent to the devices again.
 */
const STOP_MS_MAX = 1_000;
/** Maximum number of inbox entries per statement. */
const ENTRIES_PER_DELETE_MAX = 1_000;
/** Maximum number of queued inbox entries. Entries that are dropped are deleted when they expire. */
const QUEUED_ENTRIES_MAX = 200_000;
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
  readonly clicked: Set<number>;
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
  readonly #deleteFromInbox: (entries: readonly InboxEntry[]) => void;
  readonly #loop: { stop(): Promise<void> };
  #pending = new Map<string, SliceMarks>();

  constructor(db: ShardDb, deleteFromInbox: (entries: readonly InboxEntry[]) => void, log: Log) {
    this.#db = db;
    this.#deleteFromInbox = deleteFromInbox;
    this.#loop = repeat({
      pauseMs: WINDOW_MS,
      errorPauseMs: RETRY_MS,
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
        clicked: new Set(),
        inboxEntries: [],
        waiters: [],
      };
      this.#pending.set(entryKey, marks);
    }
    return marks;
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    const deadlineMs = performance.now() + STOP_MS_MAX;
    try {
      await this.#write();
      while (this.#pending.size > 0 && performance.now() < deadlineMs) {
        await sleep(WINDOW_MS);
        await this.#write();
      }
    } catch {
      // The database is unavailable.
    }
    const stopped = new Unavailable('The process stopped before the receipt was written.');
    for (const { waiters } of this.#pending.values()) for (const { reject } of waiters) reject(stopped);
  }

  /** Writes in key order, so that the slices of a partition are together. */
  async #write(): Promise<void> {
    const pending = [...this.#pending.values()].sort((a, b) => compareKeys(a.key, b.key));
    this.#pending = new Map();
    for (let i = 0; i < pending.length; i += SLICES_PER_WRITE_MAX) {
      const batch = pending.slice(i, i + SLICES_PER_WRITE_MAX);
      try {
        const locked = await this.#writeBatch(batch);
        const written = batch.filter((marks) => !locked.has(marks));
        recordReceivedMetric(written);
        for (const { waiters } of written) for (const { resolve } of waiters) resolve();
        for (const { inboxEntries } of written) this.#deleteFromInbox(inboxEntries);
        for (const marks of locked) this.#requeue(marks);
      } catch (error) {
        for (const marks of pending.slice(i)) {
          for (const { reject } of marks.waiters) reject(error);
          this.#requeue({ ...marks, waiters: [] });
        }
        throw error;
      }
    }
  }

  #requeue({ key, placeCount, channel, sent, received, clicked, inboxEntries, waiters }: SliceMarks): void {
    const marks = this.marksFor({ ...key, placeCount }, channel);
    if (!marks) for (const { reject } of waiters) reject(queueFull());
    for (const place of sent) marks?.sent.add(place);
    for (const place of received) marks?.received.add(place);
    for (const place of clicked) marks?.clicked.add(place);
    marks?.inboxEntries.push(...inboxEntries);
    marks?.waiters.push(...waiters);
  }

  /** Writes marks, and returns those of slices that another transaction has locked. */
  async #writeBatch(batch: readonly SliceMarks[]): Promise<ReadonlySet<SliceMarks>> {
    const bits = batch.map(
      ({ key, placeCount, sent, received, clicked }): SliceBits => ({
        ...key,
        sent: bitsOf(placeCount, sent),
        received: bitsOf(placeCount, received),
        clicked: clicked.size > 0 ? bitsOf(placeCount, clicked) : undefined,
      }),
    );
    const lockedKeys: SliceKey[] = [];
    for (const group of groupByDay(bits, ({ taskId }) => taskId))
      lockedKeys.push(...(await markSlices(this.#db, group)));
    if (lockedKeys.length === 0) return new Set();
    const locked = new Set(lockedKeys.map(sliceKeyText));
    return new Set(batch.filter(({ key }) => locked.has(sliceKeyText(key))));
  }
}

const queueFull = (): Unavailable => new Unavailable('The queue of receipts for PostgreSQL is full.');

/** The inbox entries of one database that are to be deleted. */
class InboxDeletionQueue {
  readonly #db: ShardDb;
  readonly #log: Log;
  #pending: InboxEntry[] = [];
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(db: ShardDb, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  add(entry: InboxEntry): void {
    if (this.#pending.length >= QUEUED_ENTRIES_MAX) return;
    this.#pending.push(entry);
    this.#running ??= this.#deleteAll().finally(() => {
      this.#running = undefined;
    });
  }

  /** Deletes the remaining entries if possible, and stops. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #deleteAll(): Promise<void> {
    await Promise.resolve(); // Entries that are added together are deleted together.
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, ENTRIES_PER_DELETE_MAX);
      try {
        await deleteInboxRows(
          this.#db,
          batch.map((entry) => ({ ...entry, bucket: bucketOfDevice(entry.deviceId) })),
        );
      } catch (error) {
        this.#log.warn('inbox-delete-failed', { error, entries: batch.length + this.#pending.length });
        if (this.#stopped) return;
        this.#pending.unshift(...batch);
        await sleep(RETRY_MS * (1 - Math.random() / 2));
      }
    }
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
