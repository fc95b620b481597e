import type { Lane, TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import { findDueApps, type InFlightByApp } from '#src/storage/ledger/app-turns.ts';

/**
 * Whose work a lane takes next. While little is due, whatever is: nobody has to wait then. Once a claim came back full there
 * may be a backlog, and apps take turns until it is gone: the next comes from the app of which this worker has the least in
 * hand.
 */
export class AppTurns {
  readonly #lane: Lane;
  readonly #inFlight = new Map<string, number>();
  /** The databases in which more tasks, or slices, were due than a claim took. */
  readonly #backlogs = { tasks: new Set<object>(), slices: new Set<object>() };

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  /** Null: there is no backlog, or only one app has one. */
  async next(db: HomeDb | ShardDb, table: 'tasks' | 'slices', taskRange: TaskRange): Promise<InFlightByApp | null> {
    if (!this.#backlogs[table].has(db)) return null;
    const apps = await findDueApps(db, table, this.#lane, taskRange);
    return apps.length > 1 ? this.turnsOf(apps) : null;
  }

  turnsOf(apps: readonly string[]): InFlightByApp {
    return new Map(apps.map((appId) => [appId, this.#inFlight.get(appId) ?? 0]));
  }

  /** Whether a claim took as much as it may. */
  recordClaim(db: HomeDb | ShardDb, table: 'tasks' | 'slices', full: boolean): void {
    if (full) this.#backlogs[table].add(db);
    else this.#backlogs[table].delete(db);
  }

  /** Counts these as in hand while the work lasts, one for each time an app is named. */
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
