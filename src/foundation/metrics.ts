import { Counter, Gauge, type Metric, register } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';

/** How a metric is declared. Every label has few values, all known here: never an app, a person, a device or a token. */
interface MetricDeclaration<Label extends string> {
  /** With its unit at the end; what is counted ends in `_total`. */
  readonly name: string;
  /** What it means, in a sentence. */
  readonly help: string;
  /** What to look at when it is not as usual, in a sentence. */
  readonly troubleshooting: string;
  readonly labels?: readonly Label[];
}

/** A metric as `docs/metrics.md` tells it. */
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

/** Bounds for what a person waits for. */
export const SHORT_BUCKETS_SECONDS: readonly number[] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
/** Bounds for what may lie for a while. */
export const LONG_BUCKETS_SECONDS: readonly number[] = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000];

/** It has one label at most. */
export function histogram(declaration: MetricDeclaration<string>, bounds: readonly number[]): DurationHistogram {
  const { name, help, labels: [label, ...more] = [] } = declaration;
  if (more.length > 0) throw new Error(`${name} has too many labels.`);
  const timings = new DurationHistogram({ name, help, label, bounds });
  // The registry asks for nothing but what it has.
  register.registerMetric(timings as unknown as Metric);
  return declare('histogram', declaration, timings);
}

/** How a metric was declared. */
export function metricRow(metric: object): MetricRow {
  const row = rows.get(metric);
  if (!row) throw new Error('This metric was not declared here.');
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
