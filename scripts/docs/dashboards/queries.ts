import type { Target } from './panel.ts';

/** The processes of the installation that was chosen. */
export const JOB_FILTER = 'job=~"$job"';

/** How often something is counted in a second, a line for each value of the labels. */
export const rate = (metric: string, by: string): Target => ({
  expr: `sum by (${by}) (rate(${metric}{${JOB_FILTER}}[$__rate_interval]))`,
  legend: by
    .split(', ')
    .map((label) => `{{${label}}}`)
    .join(' '),
});

/** The half of them, and all but one in a hundred; if need be a line for each value of a label. */
export function quantiles(metric: string, by?: string): Target[] {
  const labels = by ? `${by}, le` : 'le';
  return [0.5, 0.99].map((q) => ({
    expr: `histogram_quantile(${q}, sum by (${labels}) (rate(${metric}_bucket{${JOB_FILTER}}[$__rate_interval])))`,
    legend: `${by ? `{{${by}}} ` : ''}p${q * 100}`,
  }));
}
