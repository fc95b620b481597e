import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type Storage } from '#src/storage/database/database.ts';
import { type ClaimedSlice, releaseSlices } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, releaseTasks } from '#src/storage/ledger/tasks.ts';

interface ReleasableClaim<T> {
  readonly item: T;
  /** This worker's monotonic clock when its lease is over, at the latest. */
  readonly leaseEndsMs: number;
}

/**
 * What this worker holds and could not go on with, because a database went away. It is let go as soon as that is back:
 * otherwise it would lie until its lease is over, although its holder has long stopped.
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

  /** Does something with what is held. If a database goes away during it, whatever is still held will be let go. */
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

  /** Lets go of all that its database takes back now; the rest is tried again. True: something may be claimed. */
  async releaseAll(): Promise<boolean> {
    const now = performance.now();
    const tasks = this.#tasks.filter(({ leaseEndsMs }) => leaseEndsMs > now);
    const slices = this.#slices.filter(({ leaseEndsMs }) => leaseEndsMs > now);
    this.#tasks = [];
    this.#slices = [];
    const groups = byDatabase(this.#storage.shards, slices, ({ item }) => item.shard);
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
      requeue(claims); // it is still away
      return false;
    }
  }
}
