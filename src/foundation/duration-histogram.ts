/** How long one kind of thing took: how many up to each bound, how many in all, and their sum. */
interface Series {
  readonly counts: number[];
  count: number;
  sum: number;
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * A histogram of Prometheus with one label at most. prom-client has one too, which checks and hashes the labels each time:
 * a worker that observes every question to PostgreSQL would spend more than a hundredth of its time with that.
 */
export class Timings {
  readonly name: string;
  readonly help: string;
  readonly #label: string | undefined;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(options: { name: string; help: string; label: string | undefined; bounds: readonly number[] }) {
    this.name = options.name;
    this.help = options.help;
    this.#label = options.label;
    this.#bounds = options.bounds;
    this.reset();
  }

  /** `value`: of the label, if there is one. */
  observe(seconds: number, value = ''): void {
    const series = this.#series.get(value) ?? this.#add(value);
    series.count++;
    series.sum += seconds;
    for (let i = 0; i < this.#bounds.length; i++)
      if (seconds <= (this.#bounds[i] as number)) {
        (series.counts[i] as number)++;
        return;
      }
  }

  /** What began then, by `performance.now()`, has ended now. */
  since(beganMs: number, value?: string): void {
    this.observe((performance.now() - beganMs) / 1_000, value);
  }

  /** One without a label is there from the start, so that its first observation is seen as a rise. */
  reset(): void {
    this.#series.clear();
    if (this.#label === undefined) this.#add('');
  }

  /** As prom-client's registry asks for it. */
  async get(): Promise<{ name: string; help: string; type: 'histogram'; values: Sample[] }> {
    return { name: this.name, help: this.help, type: 'histogram', values: [...this.#samples()] };
  }

  *#samples(): Generator<Sample> {
    for (const [value, { counts, count, sum }] of this.#series) {
      const labels: Record<string, string> = this.#label === undefined ? {} : { [this.#label]: value };
      let upTo = 0;
      for (const [i, bound] of this.#bounds.entries()) {
        upTo += counts[i] as number;
        yield { metricName: `${this.name}_bucket`, labels: { ...labels, le: bound }, value: upTo };
      }
      yield { metricName: `${this.name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count };
      yield { metricName: `${this.name}_sum`, labels, value: sum };
      yield { metricName: `${this.name}_count`, labels, value: count };
    }
  }

  #add(value: string): Series {
    const series = { counts: new Array<number>(this.#bounds.length).fill(0), count: 0, sum: 0 };
    this.#series.set(value, series);
    return series;
  }
}
