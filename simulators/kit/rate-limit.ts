/** So much in each window of time, for each key. */
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

  /** Says no, and takes nothing, when there is not enough left. */
  take(key: string, amount: number, nowMs: number): boolean {
    if (this.#max === Number.POSITIVE_INFINITY) return true; // and nobody needs to be remembered
    this.#resetExpiredWindow(nowMs);
    const used = (this.#used.get(key) ?? 0) + amount;
    if (used > this.#max) return false;
    this.#used.set(key, used);
    return true;
  }

  /** What was used in an earlier window is forgotten for everybody at once. */
  #resetExpiredWindow(nowMs: number): void {
    if (nowMs - this.#windowStartMs < this.#windowMs) return;
    this.#used = new Map();
    this.#windowStartMs = nowMs;
  }
}
