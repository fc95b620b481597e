import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type Truth } from '#src/storage/database/database.ts';
import { type HeldSlice, releaseSlices } from '#src/storage/ledger/slices.ts';
import { type ClaimedTask, releaseTasks } from '#src/storage/ledger/tasks.ts';

interface Held<T> {
  readonly item: T;
  /** This worker's monotonic clock when its lease is over, at the latest. */
  readonly untilMs: number;
}

/**
 * What this worker holds and could not go on with, because a database went away. It is let go as soon as that is back:
 * otherwise it would lie until its lease is over, although its holder has long stopped.
 */
export class LetGo {
  readonly #truth: Truth;
  readonly #leaseMs: number;
  #tasks: Held<ClaimedTask>[] = [];
  #slices: Held<HeldSlice>[] = [];

  constructor(truth: Truth, leaseSeconds: number) {
    this.#truth = truth;
    this.#leaseMs = leaseSeconds * 1_000;
  }

  /** Does something with what is held. If a database goes away during it, whatever is still held will be let go. */
  async after<T>(
    held: { tasks?: readonly ClaimedTask[]; slices?: readonly HeldSlice[] },
    work: Promise<T>,
  ): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const untilMs = performance.now() + this.#leaseMs;
      if (error instanceof Unavailable) {
        this.#tasks.push(...(held.tasks ?? []).map((item) => ({ item, untilMs })));
        this.#slices.push(...(held.slices ?? []).map((item) => ({ item, untilMs })));
      }
      throw error;
    }
  }

  /** Lets go of all that its database takes back now; the rest is tried again. True: something may be claimed. */
  async run(): Promise<boolean> {
    const now = performance.now();
    const tasks = this.#tasks.filter(({ untilMs }) => untilMs > now);
    const slices = this.#slices.filter(({ untilMs }) => untilMs > now);
    this.#tasks = [];
    this.#slices = [];
    const groups = byDatabase(this.#truth.shards, slices, ({ item }) => item.shard);
    const done = await Promise.all([
      this.#try(
        tasks,
        (claims) => releaseTasks(this.#truth.home, claims),
        (left) => this.#tasks.push(...left),
      ),
      ...[...groups].map(([db, group]) =>
        this.#try(
          group,
          (some) => releaseSlices(db, some),
          (left) => this.#slices.push(...left),
        ),
      ),
    ]);
    return done.includes(true);
  }

  async #try<T>(
    held: readonly Held<T>[],
    release: (items: readonly T[]) => Promise<void>,
    keep: (held: readonly Held<T>[]) => void,
  ): Promise<boolean> {
    if (held.length === 0) return false;
    try {
      await release(held.map(({ item }) => item));
      return true;
    } catch {
      keep(held); // it is still away
      return false;
    }
  }
}
