import { Problem } from '#src/domain/problem.ts';
import { QueueFull, Semaphore } from '#src/foundation/semaphore.ts';
import type { DeviceCount } from '#src/storage/devices/audience-counts.ts';

/**
 * At most this many counts of large audiences run in a process. Each can read all devices of an app, and all apps share
 * the connections of the process.
 */
const RUNNING_MAX = 2;
/** Maximum numbers of waiting counts, because a longer wait would exceed the time limit of a client. */
const WAITING_MAX = 20;
const WAITING_PER_APP_MAX = 4;

/** The devices of an audience in the databases that are available. */
export interface CountedDevices {
  /** One row for all devices of a database with the same routing. */
  readonly counts: readonly DeviceCount[];
  /** Whether a database was unavailable, so that the counts are too low. */
  readonly incomplete: boolean;
}

/** Limits counts of large audiences, and lets the calls of a page that counts after each edit share one. */
export class LargeCounts<T> {
  readonly #semaphore = new Semaphore({
    slots: RUNNING_MAX,
    queueMax: WAITING_MAX,
    groupQueueMax: WAITING_PER_APP_MAX,
  });
  readonly #pending = new Map<string, Promise<T>>();

  /** Runs a count when it is the turn of the app. Throws if too many counts wait. */
  async run(appId: string, count: () => Promise<T>): Promise<T> {
    try {
      return await this.#semaphore.run(count, appId);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new Problem(
        'too-many-requests',
        'Other calls are counting devices. Wait for their responses, then repeat the call.',
        { cause: error, retryAfterSeconds: 1 },
      );
    }
  }

  /** Returns the result of the pending count with the same key, or runs a count. */
  share(appId: string, key: string, count: () => Promise<T>): Promise<T> {
    const pending = this.#pending.get(key);
    if (pending) return pending;
    const result = this.run(appId, count).finally(() => this.#pending.delete(key));
    this.#pending.set(key, result);
    return result;
  }
}
