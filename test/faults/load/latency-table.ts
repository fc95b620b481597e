import type { Span } from '../../support/history/history.ts';

/** One use of a function of the service. `end` is undefined if it never succeeded. */
export interface Sample {
  readonly name: string;
  readonly start: number;
  readonly end: number | undefined;
}

export interface Phase extends Span {
  readonly phase: string;
}

/** With 99 and fewer than 100 samples, or with 95 and fewer than 20 samples, the slowest sample would decide. */
export type Percentile = 95 | 99;

interface Cell {
  readonly phase: string;
  readonly count: number;
  /** The percentile in milliseconds. With fewer than 20 samples it is the median, because one slow sample would decide. */
  readonly latency: number;
}

export interface LatencyRow {
  readonly name: string;
  readonly before: Cell;
  readonly during: readonly Cell[];
  readonly percentile: Percentile;
  /** The highest permitted latency during an outage. */
  readonly limit: number;
}

/**
 * Compares the latency of each function before and during outages. A sample that overlaps an outage belongs to the
 * outage, and samples between the phases are left out.
 */
export function compareLatencies(
  samples: readonly Sample[],
  before: Phase,
  outages: readonly Phase[],
  percentile: Percentile,
): LatencyRow[] {
  return [...Map.groupBy(samples, ({ name }) => name)].map(([name, ofFunction]) => {
    const isBefore = ({ start, end = Number.POSITIVE_INFINITY }: Sample) => start >= before.start && end <= before.end;
    const beforeCell = cellOf(before.phase, ofFunction.filter(isBefore), percentile);
    const during = outages.map((outage) =>
      cellOf(
        outage.phase,
        ofFunction.filter(({ start, end }) => start <= outage.end && (end ?? Number.POSITIVE_INFINITY) >= outage.start),
        percentile,
      ),
    );
    return { name, before: beforeCell, during, percentile, limit: 2 * beforeCell.latency + 100 };
  });
}

/** Returns a sentence for each function that is slower during an outage than its limit, or that has too few samples. */
export function findSlowFunctions(rows: readonly LatencyRow[], samplesMin: (name: string) => number): string[] {
  return rows.flatMap(({ name, before, during, percentile, limit }) => [
    ...during
      .filter(({ latency }) => latency > limit)
      .map(({ phase, latency }) => `${name}: p${percentile} ${text(latency)} during ${phase}, at most ${text(limit)}`),
    ...[before, ...during]
      .filter(({ count }) => count < samplesMin(name))
      .map(({ phase, count }) => `${name}: ${count} samples during ${phase}, at least ${samplesMin(name)}`),
  ]);
}

/** Returns the table as lines of text. */
export function latencyTable(rows: readonly LatencyRow[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const header = [
    'function',
    ...[first.before, ...first.during].map(({ phase }) => `${phase}: n, p${first.percentile}`),
    'limit',
  ];
  const lines = rows.map(({ name, before, during, limit }) => [
    name,
    ...[before, ...during].map(({ count, latency }) => `${count}, ${text(latency)}`),
    text(limit),
  ]);
  const widths = header.map((_, i) => Math.max(...[header, ...lines].map((cells) => (cells[i] as string).length)));
  return [header, ...lines].map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd(),
  );
}

const PERCENTILE_SAMPLES_MIN = 20;

function cellOf(phase: string, samples: readonly Sample[], percentile: Percentile): Cell {
  const ms = samples.map(({ start, end = Number.POSITIVE_INFINITY }) => end - start).sort((a, b) => a - b);
  const share = ms.length < PERCENTILE_SAMPLES_MIN ? 0.5 : percentile / 100;
  return { phase, count: ms.length, latency: ms[Math.ceil(share * ms.length) - 1] ?? 0 };
}

const text = (ms: number): string => (Number.isFinite(ms) ? `${ms.toFixed(0)} ms` : 'never');
