import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findCancelMarks } from '#src/storage/ledger/cancel.ts';

/** A task that was not cancelled is checked again after this time. Sending stops within 5 s after a cancellation. */
const VALID_MS = 2_000;
const TASKS_MAX = 10_000;

/** Tasks that must not be sent. */
export interface StoppedTasks {
  readonly cancelled: ReadonlySet<bigint>;
  /** Tasks that the home database does not have. */
  readonly missing: ReadonlySet<bigint>;
}

/**
 * Checks in the home database whether tasks were cancelled, before anything is sent. The mark in a shard is not enough:
 * the process that cancelled a task may have crashed before it wrote the mark, or the shard was unavailable.
 */
export class CancelChecks {
  readonly #db: HomeDb;
  /** The time of the last check of each task that was not cancelled then. */
  readonly #checkedAtMs = new BoundedMap<bigint, number>(TASKS_MAX);

  constructor(db: HomeDb) {
    this.#db = db;
  }

  /** Records that a task, read from the home database now, is not cancelled. */
  confirm(taskId: bigint): void {
    this.#checkedAtMs.set(taskId, performance.now());
  }

  /** Returns those of the tasks that must not be sent. Throws if the home database cannot be asked. */
  async findStopped(taskIds: Iterable<bigint>): Promise<StoppedTasks> {
    const beganMs = performance.now();
    const isRecent = (taskId: bigint) => (this.#checkedAtMs.get(taskId) ?? -VALID_MS) > beganMs - VALID_MS;
    const unchecked = [...new Set(taskIds)].filter((taskId) => !isRecent(taskId));
    const stopped = { cancelled: new Set<bigint>(), missing: new Set(unchecked) };
    if (unchecked.length === 0) return stopped;
    for (const { taskId, cancelled } of await findCancelMarks(this.#db, unchecked)) {
      stopped.missing.delete(taskId);
      if (cancelled) stopped.cancelled.add(taskId);
      else this.#checkedAtMs.set(taskId, beganMs);
    }
    return stopped;
  }
}
