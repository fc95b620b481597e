import type { Lane, TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import { findDueApps, type InFlightByApp } from '#src/storage/ledger/app-turns.ts';

/**
 * Decides which app's work a lane claims next. Without a backlog, all due work is claimed. After a full claim there may
 * be a backlog, and the apps take turns until it is cleared. The next work then comes from the app with the least work
 * in progress in this worker.
 */
export class AppTurns {
  readonly #lane: Lane;
  readonly #inFlight = new Map<string, number>();
  /** The databases whose last claim of tasks or slices was full. */
  readonly #backlogs = { tasks: new Set<object>(), slices: new Set<object>() };

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  /** Returns the work in progress by app, or null if there is no backlog or only one app has due work. */
  async next(db: HomeDb | ShardDb, table: 'tasks' | 'slices', taskRange: TaskRange): Promise<InFlightByApp | null> {
    if (!this.#backlogs[table].has(db)) return null;
    const apps = await findDueApps(db, table, this.#lane, taskRange);
    return apps.length > 1 ? this.turnsOf(apps) : null;
  }

  turnsOf(apps: readonly string[]): InFlightByApp {
    return new Map(apps.map((appId) => [appId, this.#inFlight.get(appId) ?? 0]));
  }

  /** Records whether a claim was full. */
  recordClaim(db: HomeDb | ShardDb, table: 'tasks' | 'slices', full: boolean): void {
    if (full) this.#backlogs[table].add(db);
    else this.#backlogs[table].delete(db);
  }

  /** Counts the items as in progress for their apps while the work runs. */
  async trackDuring<T>(items: readonly { readonly appId: string }[], work: () => Promise<T>): Promise<T> {
    for (const { appId } of items) this.#inFlight.set(appId, (this.#inFlight.get(appId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      for (const { appId } of items) {
        const remaining = (this.#inFlight.get(appId) ?? 1) - 1;
        if (remaining > 0) this.#inFlight.set(appId, remaining);
        else this.#inFlight.delete(appId);
      }
    }
  }
}
