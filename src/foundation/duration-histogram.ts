/** How long one kind of thing took: how many up to each bound, how many in all, and their sum. */
interface Series {
  readonly bucketCounts: number[];
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
export class DurationHistogram {
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
  observe(seconds: number, labelValue = ''): void {
    const series = this.#series.get(labelValue) ?? this.#addSeries(labelValue);
    series.count++;
    series.sum += seconds;
    for (let i = 0; i < this.#bounds.length; i++)
      if (seconds <= (this.#bounds[i] as number)) {
        (series.bucketCounts[i] as number)++;
        return;
      }
  }

  /** What began then, by `performance.now()`, has ended now. */
  observeSince(startedMs: number, labelValue?: string): void {
    this.observe((performance.now() - startedMs) / 1_000, labelValue);
  }

  /** One without a label is there from the start, so that its first observation is seen as a rise. */
  reset(): void {
    this.#series.clear();
    if (this.#label === undefined) this.#addSeries('');
  }

  /** As prom-client's registry asks for it. */
  async get(): Promise<{ name: string; help: string; type: 'histogram'; values: Sample[] }> {
    return { name: this.name, help: this.help, type: 'histogram', values: [...this.#samples()] };
  }

  *#samples(): Generator<Sample> {
    for (const [labelValue, { bucketCounts, count, sum }] of this.#series) {
      const labels: Record<string, string> = this.#label === undefined ? {} : { [this.#label]: labelValue };
      let cumulativeCount = 0;
      for (const [i, bound] of this.#bounds.entries()) {
        cumulativeCount += bucketCounts[i] as number;
        yield { metricName: `${this.name}_bucket`, labels: { ...labels, le: bound }, value: cumulativeCount };
      }
      yield { metricName: `${this.name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count };
      yield { metricName: `${this.name}_sum`, labels, value: sum };
      yield { metricName: `${this.name}_count`, labels, value: count };
    }
  }

  #addSeries(labelValue: string): Series {
    const series = { bucketCounts: new Array<number>(this.#bounds.length).fill(0), count: 0, sum: 0 };
    this.#series.set(labelValue, series);
    return series;
  }
}
