import type { Target } from './panel.ts';

/** Selects the processes of the chosen jobs. */
export const JOB_FILTER = 'job=~"$job"';

/** Returns the rate per second, with one line for each combination of label values. */
export const rate = (metric: string, by: string): Target => ({
  expr: `sum by (${by}) (rate(${metric}{${JOB_FILTER}}[$__rate_interval]))`,
  legend: by
    .split(', ')
    .map((label) => `{{${label}}}`)
    .join(' '),
});

/** Returns the median and the 99th percentile, optionally with one line for each value of a label. */
export function quantiles(metric: string, by?: string): Target[] {
  const labels = by ? `${by}, le` : 'le';
  return [0.5, 0.99].map((q) => ({
    expr: `histogram_quantile(${q}, sum by (${labels}) (rate(${metric}_bucket{${JOB_FILTER}}[$__rate_interval])))`,
    legend: `${by ? `{{${by}}} ` : ''}p${q * 100}`,
  }));
}
