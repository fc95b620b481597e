import type { Environment } from './answers.ts';

/** A push that reached the pretend phone. Written as the control API shows it; `at` is epoch milliseconds. */
export type Arrival = {
  readonly environment: Environment;
  readonly token: string;
  readonly apns_id: string;
  readonly topic: string;
  readonly push_type: string;
  readonly priority: number;
  readonly expiration: number | null;
  readonly collapse_id: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: number;
};

/** The newest arrivals, in a ring: an endless load test must not fill the memory. */
export class Arrivals {
  readonly #max: number;
  #ring: Arrival[] = [];
  #added = 0;

  constructor(max: number) {
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
