import { Batch } from '#src/foundation/batch.ts';
import type { Motion } from '#src/signals/signals.ts';
import { ringDoorbell } from '#src/signals/wake-up.ts';
import { type HomeDb, isRefusedData } from '#src/storage/database/database.ts';
import { type Accepted, acceptTasks, type NewTask } from '#src/storage/ledger/tasks.ts';
import { apiMetrics } from '../metrics.ts';

const TASKS_PER_COMMIT_MAX = 200;
/** More than this many calls wait: the database does not keep up, and a clear no is better than a late one. */
const WAITING_MAX = 5_000;

/** Accepts tasks. Calls that arrive while a commit is under way share the next one. */
export class Accept {
  readonly #batch: Batch<NewTask, Accepted | Error>;

  constructor(db: HomeDb, motion: Motion) {
    this.#batch = new Batch({
      sizeMax: TASKS_PER_COMMIT_MAX,
      queueMax: WAITING_MAX,
      run: async (tasks) => {
        const results = await acceptTogether(db, tasks);
        // After the commit, and not awaited: whoever misses it finds the work by looking.
        for (const lane of new Set(tasks.map((task) => task.lane))) ringDoorbell(motion, lane);
        return results;
      },
    });
  }

  /** `receivedMs`: when its call came in, by this process's clock. */
  async accept(task: NewTask, receivedMs: number): Promise<Accepted> {
    const result = await this.#batch.add(task);
    if (result instanceof Error) throw result;
    apiMetrics.accepted.inc({ lane: task.lane, repeated: String(result.repeated) });
    apiMetrics.acceptSeconds.since(receivedMs);
    return result;
  }

  /** Resolves when every call that was taken has its answer. */
  idle(): Promise<void> {
    return this.#batch.idle();
  }
}

/** One row that PostgreSQL refuses must not take the others with it: then nothing was written, and each goes alone. */
async function acceptTogether(db: HomeDb, tasks: readonly NewTask[]): Promise<(Accepted | Error)[]> {
  try {
    return await acceptTasks(db, tasks);
  } catch (error) {
    if (!isRefusedData(error) || tasks.length === 1) return tasks.map(() => error as Error);
    const results: (Accepted | Error)[] = [];
    for (const task of tasks) results.push(...(await acceptTogether(db, [task])));
    return results;
  }
}
