/** So many a second, and at once no more than a second's worth. Time is passed in, in milliseconds that only go forward. */
export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #filledAtMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#filledAtMs = nowMs;
  }

  /** False: not now. */
  take(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Nothing was taken lately: it is as good as a new one. */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= this.#perSecond;
  }

  #refill(nowMs: number): void {
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((nowMs - this.#filledAtMs) / 1_000) * this.#perSecond);
    this.#filledAtMs = nowMs;
  }
}
