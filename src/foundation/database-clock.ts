/**
 * The time of the database, advanced by the monotonic clock. All times that a process stores or sends come from this
 * clock. The wall clock of a process may be wrong by days, and all processes must agree on which work is due.
 */
export class DatabaseClock {
  #offsetMs: number | undefined;

  /** Sets the clock to `now()` from a query result that was just received. */
  observe(databaseNow: Date): void {
    this.#offsetMs = databaseNow.getTime() - performance.now();
  }

  now(): Date {
    if (this.#offsetMs === undefined) throw new Error('The time of the database is not known yet.');
    return new Date(this.#offsetMs + performance.now());
  }
}
