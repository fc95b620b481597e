/**
 * The database's time, carried forward by the monotonic clock. Every instant that leaves a process is taken from here:
 * a process's wall clock may be days wrong, and every process must agree on what is due.
 */
export class DatabaseClock {
  #offsetMs: number | undefined;

  /** Takes over what `now()` was in an answer that has just arrived. */
  observe(databaseNow: Date): void {
    this.#offsetMs = databaseNow.getTime() - performance.now();
  }

  now(): Date {
    if (this.#offsetMs === undefined) throw new Error('The database has not told the time yet.');
    return new Date(this.#offsetMs + performance.now());
  }
}
