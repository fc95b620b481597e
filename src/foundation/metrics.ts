import { Counter, Gauge, type Metric, register } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';

/**
 * The declaration of a metric. A label has few values, all known in advance. A label value is never an app, a user, a
 * device or a token.
 */
interface MetricDeclaration<Label extends string> {
  /** The name ends with the unit of the metric. The name of a counter ends in `_total`. */
  readonly name: string;
  /** Meaning of the metric, in one sentence. */
  readonly help: string;
  /** Troubleshooting advice for unusual values, in one sentence. */
  readonly troubleshooting: string;
  readonly labels?: readonly Label[];
}

/** A metric as listed in `docs/reference/metrics.md`. */
export interface MetricRow {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  readonly troubleshooting: string;
}

const rows = new WeakMap<object, MetricRow>();

export function counter<Label extends string>(declaration: MetricDeclaration<Label>): Counter<Label> {
  return declare('counter', declaration, new Counter(optionsOf(declaration)));
}

export function gauge<Label extends string>(declaration: MetricDeclaration<Label>): Gauge<Label> {
  return declare('gauge', declaration, new Gauge(optionsOf(declaration)));
}

/** Buckets for durations that a user waits for. */
export const SHORT_BUCKETS_SECONDS: readonly number[] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
/** Buckets for durations of queued work. */
export const LONG_BUCKETS_SECONDS: readonly number[] = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000];

/** Declares a histogram with at most one label. */
export function histogram(declaration: MetricDeclaration<string>, bounds: readonly number[]): DurationHistogram {
  const { name, help, labels: [label, ...more] = [] } = declaration;
  if (more.length > 0) throw new Error(`Metric ${name} has more than one label.`);
  const timings = new DurationHistogram({ name, help, label, bounds });
  // The registry uses only members that DurationHistogram has.
  register.registerMetric(timings as unknown as Metric);
  return declare('histogram', declaration, timings);
}

/** Returns the declaration of a metric. */
export function metricRow(metric: object): MetricRow {
  const row = rows.get(metric);
  if (!row) throw new Error('The metric was not declared with this module.');
  return row;
}

const optionsOf = <Label extends string>({ name, help, labels = [] }: MetricDeclaration<Label>) => ({
  name,
  help,
  labelNames: [...labels],
});

function declare<Label extends string, Metric extends object>(
  type: MetricRow['type'],
  { name, help, troubleshooting, labels = [] }: MetricDeclaration<Label>,
  metric: Metric,
): Metric {
  rows.set(metric, { name, type, labels, help, troubleshooting });
  return metric;
}
