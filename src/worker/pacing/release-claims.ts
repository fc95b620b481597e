import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type Storage } from '#src/storage/database/database.ts';
import { type ClaimedSlice, releaseSlices } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, releaseTasks } from '#src/storage/ledger/tasks.ts';

interface ReleasableClaim<T> {
  readonly item: T;
  /** The time on this worker's monotonic clock by which the lease has ended. */
  readonly leaseEndsMs: number;
}

/**
 * Claims that this worker could not process because a database became unavailable. They are released as soon as the
 * database is available again. Otherwise they would stay blocked until the lease ends, although no worker processes
 * them.
 */
export class ReleaseQueue {
  readonly #storage: Storage;
  readonly #leaseMs: number;
  #tasks: ReleasableClaim<ClaimedTask>[] = [];
  #slices: ReleasableClaim<ClaimedSlice>[] = [];

  constructor(storage: Storage, leaseSeconds: number) {
    this.#storage = storage;
    this.#leaseMs = leaseSeconds * 1_000;
  }

  /** Runs the work on claims. If a database becomes unavailable, the claims are queued for release. */
  async releaseIfUnavailable<T>(
    claims: { tasks?: readonly ClaimedTask[]; slices?: readonly ClaimedSlice[] },
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const leaseEndsMs = performance.now() + this.#leaseMs;
      if (error instanceof Unavailable) {
        this.#tasks.push(...(claims.tasks ?? []).map((item) => ({ item, leaseEndsMs })));
        this.#slices.push(...(claims.slices ?? []).map((item) => ({ item, leaseEndsMs })));
      }
      throw error;
    }
  }

  /**
   * Releases all claims whose database is available; the others stay queued. Returns true if any claim was released.
   */
  async releaseAll(): Promise<boolean> {
    const now = performance.now();
    const tasks = this.#tasks.filter(({ leaseEndsMs }) => leaseEndsMs > now);
    const slices = this.#slices.filter(({ leaseEndsMs }) => leaseEndsMs > now);
    this.#tasks = [];
    this.#slices = [];
    const groups = byDatabase(this.#storage.shards, slices, ({ item }) => item.bucket);
    const results = await Promise.all([
      this.#tryRelease(
        tasks,
        (claims) => releaseTasks(this.#storage.home, claims),
        (unreleased) => this.#tasks.push(...unreleased),
      ),
      ...[...groups].map(([db, group]) =>
        this.#tryRelease(
          group,
          (batch) => releaseSlices(db, batch),
          (unreleased) => this.#slices.push(...unreleased),
        ),
      ),
    ]);
    return results.includes(true);
  }

  async #tryRelease<T>(
    claims: readonly ReleasableClaim<T>[],
    release: (items: readonly T[]) => Promise<void>,
    requeue: (claims: readonly ReleasableClaim<T>[]) => void,
  ): Promise<boolean> {
    if (claims.length === 0) return false;
    try {
      await release(claims.map(({ item }) => item));
      return true;
    } catch {
      requeue(claims); // the database is still unavailable
      return false;
    }
  }
}
