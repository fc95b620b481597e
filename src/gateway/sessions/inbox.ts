import { setTimeout as sleep } from 'node:timers/promises';
import { nativePayload } from '#src/domain/message.ts';
import type { Log } from '#src/foundation/log.ts';
import type { PlaceRef, Receipts } from '#src/receipts/receipts.ts';
import { byDatabase, type Truth } from '#src/storage/database/database.ts';
import { type InboxRow, readInbox } from '#src/storage/devices/inbox.ts';
import { findCancelled } from '#src/storage/ledger/cancel.ts';
import { findTasks } from '#src/storage/ledger/tasks.ts';
import { PublishFrame } from '../codec.ts';
import { gatewayMetrics } from '../metrics.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** How many inboxes one statement reads: a storm of reconnects comes in these batches. */
const INBOXES_PER_READ_MAX = 200;
const RETRY_MS = 1_000;

/** Brings devices what waited for them. */
export class InboxReader {
  readonly #truth: Truth;
  readonly #sessions: Sessions;
  readonly #receipts: Receipts;
  readonly #log: Log;
  /** Each session at most once. */
  readonly #wanted = new Set<Session>();
  #reading: Promise<void> | undefined;

  constructor(options: { truth: Truth; sessions: Sessions; receipts: Receipts; log: Log }) {
    this.#truth = options.truth;
    this.#sessions = options.sessions;
    this.#receipts = options.receipts;
    this.#log = options.log;
  }

  /** Reads a device's inbox and writes what its window has room for; goes on when the device has answered. */
  read(session: Session): void {
    session.inboxWaits = false;
    this.#wanted.add(session);
    this.#reading ??= this.#readAll();
  }

  /** Batch after batch, until nobody's inbox is wanted. What fails is wanted again, after a moment. */
  async #readAll(): Promise<void> {
    while (this.#wanted.size > 0) {
      const some = [...this.#wanted].slice(0, INBOXES_PER_READ_MAX);
      for (const session of some) this.#wanted.delete(session);
      try {
        await this.#deliver(some);
      } catch (error) {
        this.#log.warn('inbox-read-failed', { error, inboxes: some.length, wanted: this.#wanted.size });
        for (const session of some) if (this.#sessions.has(session)) this.#wanted.add(session);
        await sleep(RETRY_MS);
      }
    }
    this.#reading = undefined;
  }

  async #deliver(sessions: readonly Session[]): Promise<void> {
    const groups = byDatabase(this.#truth.shards, sessions, ({ device }) => device.shard);
    const reads = [...groups].map(([db, group]) =>
      readInbox(
        db,
        group.map(({ device }) => device),
      ),
    );
    const rows = (await Promise.all(reads)).flat();
    if (rows.length === 0) return;
    // What was cancelled lies there until a worker takes it out.
    const cancelled = new Set(await findCancelled(this.#truth.home, tasksOf(rows)));
    const next = this.#choose(rows.filter(({ taskId }) => !cancelled.has(taskId)));
    if (next.length === 0) return;
    const tasks = await findTasks(this.#truth.home, tasksOf(next));
    const frames = new Map(
      tasks.map(({ taskId, messageText }) => [taskId, new PublishFrame(nativePayload(taskId, messageText))]),
    );
    const written = next.filter((row) => this.#write(row, frames.get(row.taskId)));
    gatewayMetrics.inboxDelivered.inc(written.length);
  }

  /** The rows that their devices have room for, so that no more messages are read than can be written. */
  #choose(rows: readonly InboxRow[]): InboxRow[] {
    const chosen = new Map<Session, number>();
    return rows.filter((row) => {
      const session = this.#sessionOf(row);
      if (!session) return false;
      const answer = session.answerTo(row.taskId);
      // Taken while the row was on its way in or out; or refused, and then not brought again in this session.
      if (answer) this.#receipts.addReceived(refOf(row), row);
      if (answer !== undefined || session.isOnTheWay(row.taskId)) return false;
      const count = chosen.get(session) ?? 0;
      if (count >= session.windowRoom) {
        session.inboxWaits = true;
        return false;
      }
      chosen.set(session, count + 1);
      return true;
    });
  }

  #write(row: InboxRow, frame: PublishFrame | undefined): boolean {
    const session = this.#sessionOf(row);
    if (!session || !frame) return false;
    const ref = refOf(row);
    const written = session.notify(frame, ref, true) === 'written';
    if (written) this.#receipts.addSent(ref);
    else session.inboxWaits = true;
    return written;
  }

  #sessionOf({ deviceId, generation }: InboxRow): Session | undefined {
    const session = this.#sessions.get(deviceId);
    return session?.device.generation === generation ? session : undefined;
  }
}

const tasksOf = (rows: readonly InboxRow[]): bigint[] => [...new Set(rows.map(({ taskId }) => taskId))];

function refOf({ taskId, sliceShard: shard, slice, place, n }: InboxRow): PlaceRef {
  return { taskId, shard, slice, place, n };
}
