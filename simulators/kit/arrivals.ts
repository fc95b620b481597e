/** Every simulator's arrivals have these; the rest is the vendor's. `at` is epoch milliseconds. */
export type AnyArrival = { readonly token: string; readonly at: number };

/** The newest arrivals, in a ring: an endless load test must not fill the memory. */
export class Arrivals<Arrival extends AnyArrival> {
  readonly #max: number;
  #ring: Arrival[] = [];
  #added = 0;

  constructor(max: number = ARRIVED_MAX) {
    this.#max = max;
  }

  add(arrival: Arrival): void {
    this.#ring[this.#added % this.#max] = arrival;
    this.#added += 1;
  }

  /** Oldest first. */
  list(token?: string): Arrival[] {
    const start = this.#ring.length < this.#max ? 0 : this.#added % this.#max;
    const ordered = [...this.#ring.slice(start), ...this.#ring.slice(0, start)];
    return token === undefined ? ordered : ordered.filter((arrival) => arrival.token === token);
  }

  clear(): void {
    this.#ring = [];
    this.#added = 0;
  }
}

const ARRIVED_MAX = 100_000; // of 4 KiB at most: some hundred megabytes when every payload is full
