/** The observations for one label value: the count per bucket, the total count and the sum. */
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
 * A Prometheus histogram with at most one label. The histogram of prom-client checks and hashes the labels at each
 * observation, which costs a worker that observes every PostgreSQL query more than 1% of its time.
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

  /** Records a duration. `labelValue` is the value of the label, if the histogram has one. */
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

  /** Records the time since `startedMs`, a value of `performance.now()`. */
  observeSince(startedMs: number, labelValue?: string): void {
    this.observe((performance.now() - startedMs) / 1_000, labelValue);
  }

  /**
   * Removes all observations. A histogram without a label starts at zero, so that its first observation shows as an
   * increase.
   */
  reset(): void {
    this.#series.clear();
    if (this.#label === undefined) this.#addSeries('');
  }

  /** Returns the metric in the form that the registry of prom-client requires. */
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
