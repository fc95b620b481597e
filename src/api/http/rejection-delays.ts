import { setTimeout as sleep } from 'node:timers/promises';
import { addressKeyOf } from '#src/foundation/address-key.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { TokenBucket } from '#src/foundation/token-bucket.ts';

/** Addresses that are remembered. An address that is evicted has a full budget again. */
const ADDRESSES_MAX = 10_000;
const DELAY_MS = 1_000;
/** Maximum number of responses that are delayed at the same time, because each of them keeps a connection open. */
const DELAYED_MAX = 2_000;

/**
 * Delays rejections of addresses that cause many of them. A client that waits for each response then makes few further
 * requests, and leaves the time of the process to others. Each API process counts separately.
 */
export class RejectionDelays {
  readonly #perSecond: number;
  readonly #buckets = new BoundedMap<string, TokenBucket>(ADDRESSES_MAX);
  #delayed = 0;

  /** `perSecond` is the number of rejections of an address per second without a delay. 0 means that none is delayed. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Counts a rejection, and waits if the address has caused too many. */
  async take(address: string): Promise<void> {
    if (this.#perSecond === 0 || this.#delayed >= DELAYED_MAX) return;
    const now = performance.now();
    const key = addressKeyOf(address);
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#perSecond, now);
    this.#buckets.set(key, bucket);
    if (bucket.take(now)) return;
    this.#delayed++;
    try {
      await sleep(DELAY_MS);
    } finally {
      this.#delayed--;
    }
  }
}
