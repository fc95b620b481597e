const REPEAT_MS = 60_000;

/** Counts the failures of an outage. The first one is logged, and then one per minute with the number of failures. */
export class Outage {
  #failures = 0;
  #loggedMs = 0;

  /** Counts a failure. Returns the number of failures if this one must be logged. */
  fail(nowMs: number): number | undefined {
    this.#failures++;
    if (this.#failures > 1 && nowMs - this.#loggedMs < REPEAT_MS) return undefined;
    this.#loggedMs = nowMs;
    return this.#failures;
  }

  end(): void {
    this.#failures = 0;
  }
}
