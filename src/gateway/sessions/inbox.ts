import { setTimeout as sleep } from 'node:timers/promises';
import { nativePayload } from '#src/domain/message.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { LazyMap } from '#src/foundation/lazy-map.ts';
import type { Log } from '#src/foundation/log.ts';
import type { PlaceRef, Receipts } from '#src/receipts/receipts.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { type InboxRow, readInbox } from '#src/storage/devices/inbox.ts';
import { findCancelledTasks } from '#src/storage/ledger/cancel.ts';
import { findTasks } from '#src/storage/ledger/tasks.ts';
import { PublishFrame } from '../codec.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Maximum number of inboxes per query. Many devices can reconnect at the same time. */
const INBOXES_PER_READ_MAX = 200;
const RETRY_MS = 1_000;

/** The frame of each slice, by its key. */
type Frames = Map<string, PublishFrame>;

interface InboxReaderOptions {
  readonly storage: Storage;
  readonly sessions: Sessions;
  readonly receipts: Receipts;
  readonly log: Log;
}

/**
 * Sends devices the notifications that wait in their inboxes. Each database is read separately, so that an unavailable
 * database does not delay the devices of the others.
 */
export class InboxReader {
  readonly #storage: Storage;
  readonly #readers: LazyMap<ShardDb, DatabaseInboxReader>;

  constructor(options: InboxReaderOptions) {
    this.#storage = options.storage;
    this.#readers = new LazyMap((db) => new DatabaseInboxReader(db, options));
  }

  /** Reads a device's inbox. See `DatabaseInboxReader.read`. */
  read(session: Session): void {
    this.#readers.get(this.#storage.shards.dbFor(session.device.bucket)).read(session);
  }
}

/** Reads the inboxes of one database. */
class DatabaseInboxReader {
  readonly #db: ShardDb;
  readonly #storage: Storage;
  readonly #sessions: Sessions;
  readonly #receipts: Receipts;
  readonly #log: Log;
  /** Contains each session at most once. */
  readonly #pending = new Set<Session>();
  #reading: Promise<void> | undefined;

  constructor(db: ShardDb, options: InboxReaderOptions) {
    this.#db = db;
    this.#storage = options.storage;
    this.#sessions = options.sessions;
    this.#receipts = options.receipts;
    this.#log = options.log;
  }

  /**
   * Reads a device's inbox and writes as many notifications as its window allows. The rest are written after the device
   * has acknowledged some of them.
   */
  read(session: Session): void {
    session.hasMoreInInbox = false;
    this.#pending.add(session);
    this.#reading ??= this.#readAll();
  }

  /** Reads batch after batch until no session is pending. A failed batch is retried after a short delay. */
  async #readAll(): Promise<void> {
    while (this.#pending.size > 0) {
      const batch = [...this.#pending].slice(0, INBOXES_PER_READ_MAX);
      for (const session of batch) this.#pending.delete(session);
      try {
        await this.#deliver(batch);
      } catch (error) {
        this.#log.warn('inbox-read-failed', { error, inboxes: batch.length, wanted: this.#pending.size });
        for (const session of batch) if (this.#sessions.has(session)) this.#pending.add(session);
        await sleep(RETRY_MS * (1 - Math.random() / 2));
      }
    }
    this.#reading = undefined;
  }

  async #deliver(sessions: readonly Session[]): Promise<void> {
    const rows = await readInbox(
      this.#db,
      sessions.map(({ device }) => device),
    );
    if (rows.length === 0) return;
    // A cancelled notification stays in the inbox until a worker deletes it.
    const cancelled = new Set(await findCancelledTasks(this.#storage.home, taskIdsOf(rows)));
    const deliverableRows = this.#chooseRows(rows.filter(({ taskId }) => !cancelled.has(taskId)));
    if (deliverableRows.length === 0) return;
    const tasks = await findTasks(this.#storage.home, taskIdsOf(deliverableRows));
    const validTasks = tasks.filter(({ defect }) => defect === undefined);
    const messageTexts = new Map(validTasks.map(({ taskId, messageText }) => [taskId, messageText]));
    const frames: Frames = new Map();
    for (const row of deliverableRows) {
      const slice = refOf(row);
      const text = messageTexts.get(row.taskId);
      if (text !== undefined && !frames.has(sliceKeyText(slice)))
        frames.set(sliceKeyText(slice), new PublishFrame(nativePayload(slice, text)));
    }
    const writtenRows = deliverableRows.filter((row) => this.#write(row, frames));
    gatewayMetrics.inboxDelivered.inc(writtenRows.length);
    this.#readAfterSkipped(deliverableRows, frames);
  }

  /**
   * Skips notifications that are too large for their client, and reads these inboxes again. Otherwise, they would occupy
   * the window forever, because they are never acknowledged, and newer notifications would not be sent.
   */
  #readAfterSkipped(rows: readonly InboxRow[], frames: Frames): void {
    for (const row of rows) {
      const session = this.#sessionOf(row);
      const frame = frames.get(sliceKeyText(refOf(row)));
      if (!session || !frame || session.accepts(frame)) continue;
      session.skipTooLarge(row.taskId);
      this.#pending.add(session);
    }
  }

  /**
   * Returns the rows that fit into the windows of their devices, so that only notifications that can be written are
   * loaded.
   */
  #chooseRows(rows: readonly InboxRow[]): InboxRow[] {
    const chosenPerSession = new Map<Session, number>();
    return rows.filter((row) => {
      const session = this.#sessionOf(row);
      if (!session) return false;
      const accepted = session.wasAccepted(row.taskId);
      // Either the task was accepted while its row was being written or deleted, or it was rejected and is not sent
      // again in this session.
      if (accepted) this.#receipts.addReceived(refOf(row), row);
      if (accepted !== undefined || session.markIfInFlight(row.taskId)) return false;
      const count = chosenPerSession.get(session) ?? 0;
      if (count >= session.windowRoom) {
        session.hasMoreInInbox = true;
        return false;
      }
      chosenPerSession.set(session, count + 1);
      return true;
    });
  }

  #write(row: InboxRow, frames: Frames): boolean {
    const session = this.#sessionOf(row);
    const ref = refOf(row);
    const frame = frames.get(sliceKeyText(ref));
    if (!session || !frame) return false;
    const written = session.notify(frame, ref, true) === 'written';
    if (written) this.#receipts.addSent(ref);
    else session.hasMoreInInbox = true;
    return written;
  }

  #sessionOf({ deviceId, generation }: InboxRow): Session | undefined {
    const session = this.#sessions.get(deviceId);
    return session?.device.generation === generation ? session : undefined;
  }
}

const taskIdsOf = (rows: readonly InboxRow[]): bigint[] => [...new Set(rows.map(({ taskId }) => taskId))];

function refOf({ taskId, sliceBucket, sliceNumber, placeIndex, placeCount }: InboxRow): PlaceRef {
  return { taskId, bucket: sliceBucket, sliceNumber, index: placeIndex, placeCount };
}
