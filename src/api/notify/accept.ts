import { Batch } from '#src/foundation/batch.ts';
import type { Signals } from '#src/signals/signals.ts';
import { sendWakeUp } from '#src/signals/wake-up.ts';
import { type HomeDb, isDataError } from '#src/storage/database/database.ts';
import { type AcceptedTask, acceptTasks, type NewTask } from '#src/storage/ledger/tasks.ts';
import { apiMetrics } from '../metrics.ts';

const TASKS_PER_COMMIT_MAX = 200;
/** More than this many calls wait: the database does not keep up, and a clear no is better than a late one. */
const CALLS_WAITING_MAX = 5_000;

/** Accepts tasks. Calls that arrive while a commit is under way share the next one. */
export class TaskAcceptor {
  readonly #batch: Batch<NewTask, AcceptedTask | Error>;

  constructor(db: HomeDb, signals: Signals) {
    this.#batch = new Batch({
      sizeMax: TASKS_PER_COMMIT_MAX,
      queueMax: CALLS_WAITING_MAX,
      run: async (tasks) => {
        const results = await acceptBatch(db, tasks);
        // After the commit, and not awaited: whoever misses it finds the work by looking.
        for (const lane of new Set(tasks.map((task) => task.lane))) sendWakeUp(signals, lane);
        return results;
      },
    });
  }

  /** `receivedMs`: when its call came in, by this process's clock. */
  async accept(task: NewTask, receivedMs: number): Promise<AcceptedTask> {
    const result = await this.#batch.add(task);
    if (result instanceof Error) throw result;
    apiMetrics.accepted.inc({ lane: task.lane, repeated: String(result.repeated) });
    apiMetrics.acceptSeconds.observeSince(receivedMs);
    return result;
  }

  /** Resolves when every call that was taken has its answer. */
  idle(): Promise<void> {
    return this.#batch.idle();
  }
}

/** One row that PostgreSQL refuses must not take the others with it: then nothing was written, and each goes alone. */
async function acceptBatch(db: HomeDb, tasks: readonly NewTask[]): Promise<(AcceptedTask | Error)[]> {
  try {
    return await acceptTasks(db, tasks);
  } catch (error) {
    if (!isDataError(error) || tasks.length === 1) return tasks.map(() => error as Error);
    const results: (AcceptedTask | Error)[] = [];
    for (const task of tasks) results.push(...(await acceptBatch(db, [task])));
    return results;
  }
}
