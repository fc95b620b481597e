import type { Task } from '#src/domain/task.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findTasks } from '#src/storage/ledger/tasks.ts';

/** Maximum number of cached tasks, to limit memory. Tasks never change, so cached tasks do not become stale. */
const TASKS_MAX = 2_000;

/** Tasks by ID, read from the home database if they are not cached. */
export class TaskCache {
  readonly #db: HomeDb;
  readonly #tasks = new BoundedMap<bigint, Task>(TASKS_MAX);

  constructor(db: HomeDb) {
    this.#db = db;
  }

  /** Caches a task, unless it is invalid and may be repaired. */
  add(task: Task): void {
    if (task.defect === undefined) this.#tasks.set(task.taskId, task);
  }

  delete(taskId: bigint): void {
    this.#tasks.delete(taskId);
  }

  async get(taskIds: Iterable<bigint>): Promise<ReadonlyMap<bigint, Task>> {
    const tasks = new Map<bigint, Task>();
    const missing: bigint[] = [];
    for (const taskId of new Set(taskIds)) {
      const task = this.#tasks.get(taskId);
      if (task) tasks.set(taskId, task);
      else missing.push(taskId);
    }
    if (missing.length > 0)
      for (const task of await findTasks(this.#db, missing)) {
        this.add(task);
        tasks.set(task.taskId, task);
      }
    return tasks;
  }
}
