/**
 * A rate limit per second, with a burst of at most one second's tokens. The time is a parameter, in milliseconds of a
 * monotonic clock.
 */
export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #filledAtMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#filledAtMs = nowMs;
  }

  /** Takes a token. Returns false if none is available. */
  take(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Returns whether the bucket is full. A full bucket can be discarded, because a new bucket is also full. */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= this.#perSecond;
  }

  #refill(nowMs: number): void {
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((nowMs - this.#filledAtMs) / 1_000) * this.#perSecond);
    this.#filledAtMs = nowMs;
  }
}
