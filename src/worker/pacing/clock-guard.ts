import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';

/** A larger difference between two readings, apart from the time that has passed, is a jump. */
const JUMP_MS_MIN = 60_000;
/** After a jump, the clock must run without another jump for this time before its new value is used. */
const STABLE_MS = 60_000;

/**
 * Detects jumps of the home database's clock, forwards or backwards, by comparing each reading with the monotonic clock
 * of this process. After a jump forwards, scheduled tasks would be sent too early, leases would end and notifications
 * would expire. No work is claimed until the clock has its expected value again, or runs at its new value for a minute.
 * Until then, this worker uses the time before the jump.
 */
export class ClockGuard {
  readonly #clock: DatabaseClock;
  readonly #log: Log;
  /** The difference between the database clock and the monotonic clock, in milliseconds. */
  #offsetMs: number | undefined;
  /** The new difference after a jump, and the time on the monotonic clock since when it has not changed. */
  #jump: { readonly offsetMs: number; readonly sinceMs: number } | undefined;

  constructor(clock: DatabaseClock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** True while no work may be claimed. */
  get hasJumped(): boolean {
    return this.#jump !== undefined;
  }

  /** Handles a reading of the database clock that was just received. */
  observe(databaseNow: Date, monotonicMs = performance.now()): void {
    const offsetMs = databaseNow.getTime() - monotonicMs;
    const jumpedMs = offsetMs - (this.#offsetMs ?? offsetMs);
    if (Math.abs(jumpedMs) < JUMP_MS_MIN) this.#accept(databaseNow, offsetMs);
    else if (!this.#jump || Math.abs(offsetMs - this.#jump.offsetMs) >= JUMP_MS_MIN) {
      this.#jump = { offsetMs, sinceMs: monotonicMs };
      this.#log.error('clock-jumped', { seconds: Math.round(jumpedMs / 1_000), databaseNow });
    } else if (monotonicMs - this.#jump.sinceMs >= STABLE_MS) this.#accept(databaseNow, offsetMs);
  }

  #accept(databaseNow: Date, offsetMs: number): void {
    if (this.#jump) this.#log.info('clock-stable', { databaseNow });
    this.#jump = undefined;
    this.#offsetMs = offsetMs;
    this.#clock.observe(databaseNow);
  }
}
