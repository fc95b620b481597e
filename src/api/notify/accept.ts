import { Problem } from '#src/domain/problem.ts';
import { Batch, GroupQueueFull } from '#src/foundation/batch.ts';
import type { Signals } from '#src/signals/signals.ts';
import { sendWakeUp } from '#src/signals/wake-up.ts';
import { type HomeDb, isDataError } from '#src/storage/database/database.ts';
import { type AcceptedTask, acceptTasks, type NewTask } from '#src/storage/ledger/tasks.ts';
import { apiMetrics } from '../metrics.ts';

const TASKS_PER_COMMIT_MAX = 200;
/**
 * Maximum number of waiting calls. A longer queue means that the database cannot keep up, and an immediate error is
 * better than a late one.
 */
const CALLS_WAITING_MAX = 5_000;
/** Maximum number of waiting calls of one app, so that a flood from one app does not fill the queue for the others. */
const CALLS_WAITING_PER_APP_MAX = 2_500;

/** Accepts tasks. Calls that are received during a commit share the next commit. */
export class TaskAcceptor {
  readonly #batch: Batch<NewTask, AcceptedTask | Error>;

  constructor(db: HomeDb, signals: Signals) {
    this.#batch = new Batch({
      sizeMax: TASKS_PER_COMMIT_MAX,
      queueMax: CALLS_WAITING_MAX,
      groupOf: ({ appId }) => appId,
      groupQueueMax: CALLS_WAITING_PER_APP_MAX,
      run: async (tasks) => {
        const results = await acceptBatch(db, tasks);
        // Sent after the commit and not awaited: a worker that misses the signal finds the task by polling.
        for (const lane of new Set(tasks.map((task) => task.lane))) sendWakeUp(signals, lane, 'tasks');
        return results;
      },
    });
  }

  /** Accepts one task. `receivedMs` is the time at which its request was received, by this process's clock. */
  async accept(task: NewTask, receivedMs: number): Promise<AcceptedTask> {
    const result = await this.#batch.add(task).catch((error: unknown) => {
      if (error instanceof GroupQueueFull) throw new Problem('too-many-requests', undefined, { retryAfterSeconds: 1 });
      throw error;
    });
    if (result instanceof Error) throw result;
    apiMetrics.accepted.inc({ lane: task.lane, repeated: String(result.repeated) });
    apiMetrics.acceptSeconds.observeSince(receivedMs);
    return result;
  }

  /** Resolves when every pending call has its result. */
  idle(): Promise<void> {
    return this.#batch.idle();
  }
}

/**
 * Inserts tasks in one statement. If PostgreSQL rejects a row, nothing was written, and each task is inserted
 * separately so that one bad row does not fail the rest.
 */
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
