/** So much in each window of time, for each key. */
export class Allowance {
  readonly #max: number;
  readonly #windowMs: number;
  #used = new Map<string, number>();
  #sinceMs = 0;

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Says no, and takes nothing, when there is not enough left. */
  take(key: string, amount: number, nowMs: number): boolean {
    if (this.#max === Number.POSITIVE_INFINITY) return true; // and nobody needs to be remembered
    if (nowMs - this.#sinceMs >= this.#windowMs) {
      this.#used = new Map(); // what was used in an earlier window is forgotten for everybody at once
      this.#sinceMs = nowMs;
    }
    const used = (this.#used.get(key) ?? 0) + amount;
    if (used > this.#max) return false;
    this.#used.set(key, used);
    return true;
  }
}
