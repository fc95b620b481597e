/**
 * Fields that the deliveries of all simulators have. Each vendor adds its own fields. `at` is in epoch milliseconds.
 * `recalled` marks a notification that the sender has removed from the screen.
 */
export type AnyArrival = { readonly token: string; readonly at: number; readonly recalled?: true };

/** The newest deliveries, in a ring buffer, so that a long load test does not exhaust memory. */
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

  /** Returns the deliveries, oldest first. */
  list(token?: string): Arrival[] {
    const start = this.#ring.length < this.#max ? 0 : this.#added % this.#max;
    const ordered = [...this.#ring.slice(start), ...this.#ring.slice(0, start)];
    return token === undefined ? ordered : ordered.filter((arrival) => arrival.token === token);
  }

  /** Returns the deliveries that were not recalled, oldest first. */
  shown(): Arrival[] {
    return this.list().filter(({ recalled }) => recalled === undefined);
  }

  /** Marks the deliveries to these tokens for which `matches` returns true as recalled. */
  recall(tokens: readonly string[], matches: (arrival: Arrival) => boolean): void {
    const targets = new Set(tokens);
    this.#ring = this.#ring.map((arrival) =>
      targets.has(arrival.token) && matches(arrival) ? { ...arrival, recalled: true } : arrival,
    );
  }

  clear(): void {
    this.#ring = [];
    this.#added = 0;
  }
}

const ARRIVED_MAX = 100_000; // a few hundred megabytes if every payload has the maximum size of 4 KiB
