import { groupByDay } from '#src/domain/task.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type HomeDb, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { type ClaimedSlice, releaseSlices } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, releaseTasks } from '#src/storage/ledger/tasks.ts';
import type { UnrecordedBits } from './unrecorded-bits.ts';

interface ReleasableClaim<T> {
  readonly item: T;
  /** The time on this worker's monotonic clock by which the lease has ended. */
  readonly leaseEndsMs: number;
  /** The databases that the work needs. */
  readonly databases: ReadonlySet<HomeDb | ShardDb>;
}

/** The databases that work on these claims needs. */
interface ClaimedWork {
  readonly tasks?: readonly ClaimedTask[];
  readonly slices?: readonly ClaimedSlice[];
  readonly databases: ReadonlySet<HomeDb | ShardDb>;
}

/**
 * Claims that this worker could not process because a database became unavailable. They are released as soon as their
 * databases are available again. Otherwise they would stay blocked until the lease ends, although no worker processes
 * them. If a database stays unavailable, its work is tried once in each lease.
 */
export class ReleaseQueue {
  readonly #storage: Storage;
  readonly #leaseMs: number;
  readonly #unrecordedBits: UnrecordedBits;
  #tasks: ReleasableClaim<ClaimedTask>[] = [];
  #slices: ReleasableClaim<ClaimedSlice>[] = [];

  constructor(storage: Storage, leaseSeconds: number, unrecordedBits: UnrecordedBits) {
    this.#storage = storage;
    this.#leaseMs = leaseSeconds * 1_000;
    this.#unrecordedBits = unrecordedBits;
  }

  /** Runs the work on claims. If a database becomes unavailable, the claims are queued for release. */
  async releaseIfUnavailable<T>(
    { tasks = [], slices = [], databases }: ClaimedWork,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const leaseEndsMs = performance.now() + this.#leaseMs;
      if (error instanceof Unavailable) {
        this.#tasks.push(...tasks.map((item) => ({ item, leaseEndsMs, databases })));
        this.#slices.push(...slices.map((item) => ({ item, leaseEndsMs, databases })));
      }
      throw error;
    }
  }

  /**
   * Releases all claims whose databases are available; the others stay queued. Returns true if any claim was released.
   * The sent bits of a slice are written before it is released.
   */
  async releaseAll(): Promise<boolean> {
    const isAvailable = (db: ShardDb) => db.isAvailable;
    await Promise.allSettled(
      this.#unrecordedBits.databases.filter(isAvailable).map((db) => this.#unrecordedBits.write(db)),
    );
    const now = performance.now();
    const isHeld = ({ leaseEndsMs }: ReleasableClaim<unknown>) => leaseEndsMs > now;
    const [tasks, waitingTasks] = splitByAvailability(this.#tasks.filter(isHeld));
    const [slices, waitingSlices] = splitByAvailability(this.#slices.filter(isHeld));
    this.#tasks = waitingTasks;
    this.#slices = waitingSlices;
    const groups = byDatabase(this.#storage.shards, slices, ({ item }) => item.bucket);
    const results = await Promise.all([
      this.#tryRelease(
        tasks,
        async (claims) => {
          for (const ofDay of groupByDay(claims, ({ task }) => task.taskId))
            await releaseTasks(this.#storage.home, ofDay);
        },
        (unreleased) => this.#tasks.push(...unreleased),
      ),
      ...[...groups].map(([db, group]) =>
        this.#tryRelease(
          group,
          async (batch) => {
            await this.#unrecordedBits.write(db);
            for (const ofDay of groupByDay(batch, ({ taskId }) => taskId)) await releaseSlices(db, ofDay);
          },
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
      requeue(claims); // the database is still unavailable, or slices are locked
      return false;
    }
  }
}

/** Returns the claims whose databases are available, and the others. */
function splitByAvailability<T>(claims: readonly ReleasableClaim<T>[]): [ReleasableClaim<T>[], ReleasableClaim<T>[]] {
  const isAvailable = ({ databases }: ReleasableClaim<T>) => [...databases].every((db) => db.isAvailable);
  const { true: available = [], false: waiting = [] } = Object.groupBy(claims, (claim) => `${isAvailable(claim)}`);
  return [available, waiting];
}
