/** Limits an amount per time window, separately for each key. */
export class RateLimit {
  readonly #max: number;
  readonly #windowMs: number;
  #used = new Map<string, number>();
  #windowStartMs = 0;

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  get max(): number {
    return this.#max;
  }

  remaining(key: string, nowMs: number): number {
    this.#resetExpiredWindow(nowMs);
    return this.#max - (this.#used.get(key) ?? 0);
  }

  /** Returns false and takes nothing if less than `amount` is left. */
  take(key: string, amount: number, nowMs: number): boolean {
    if (this.#max === Number.POSITIVE_INFINITY) return true; // without counting, so that no keys are stored
    this.#resetExpiredWindow(nowMs);
    const used = (this.#used.get(key) ?? 0) + amount;
    if (used > this.#max) return false;
    this.#used.set(key, used);
    return true;
  }

  /** Starts a new window if the current one has ended. All keys are reset at the same time. */
  #resetExpiredWindow(nowMs: number): void {
    if (nowMs - this.#windowStartMs < this.#windowMs) return;
    this.#used = new Map();
    this.#windowStartMs = nowMs;
  }
}
