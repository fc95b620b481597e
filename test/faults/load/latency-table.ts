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

interface Cell {
  readonly phase: string;
  readonly count: number;
  /**
   * The 99th percentile in milliseconds. With fewer than 100 samples it is the maximum. With fewer than 20 it is the
   * median, because a single slow sample would decide.
   */
  readonly p99: number;
}

export interface LatencyRow {
  readonly name: string;
  readonly before: Cell;
  readonly during: readonly Cell[];
  /** The highest permitted 99th percentile during an outage. */
  readonly limit: number;
}

/**
 * Compares the latency of each function before and during outages. A sample that overlaps an outage belongs to the
 * outage, and samples between the phases are left out.
 */
export function compareLatencies(samples: readonly Sample[], before: Phase, outages: readonly Phase[]): LatencyRow[] {
  return [...Map.groupBy(samples, ({ name }) => name)].map(([name, ofFunction]) => {
    const isBefore = ({ start, end = Number.POSITIVE_INFINITY }: Sample) => start >= before.start && end <= before.end;
    const beforeCell = cellOf(before.phase, ofFunction.filter(isBefore));
    const during = outages.map((outage) =>
      cellOf(
        outage.phase,
        ofFunction.filter(({ start, end }) => start <= outage.end && (end ?? Number.POSITIVE_INFINITY) >= outage.start),
      ),
    );
    return { name, before: beforeCell, during, limit: 2 * beforeCell.p99 + 100 };
  });
}

/** Returns a sentence for each function that is slower during an outage than its limit, or that has too few samples. */
export function findSlowFunctions(rows: readonly LatencyRow[], samplesMin: (name: string) => number): string[] {
  return rows.flatMap(({ name, before, during, limit }) => [
    ...during
      .filter(({ p99 }) => p99 > limit)
      .map(({ phase, p99 }) => `${name}: p99 ${text(p99)} during ${phase}, at most ${text(limit)}`),
    ...[before, ...during]
      .filter(({ count }) => count < samplesMin(name))
      .map(({ phase, count }) => `${name}: ${count} samples during ${phase}, at least ${samplesMin(name)}`),
  ]);
}

/** Returns the table as lines of text. */
export function latencyTable(rows: readonly LatencyRow[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const header = ['function', ...[first.before, ...first.during].map(({ phase }) => `${phase}: n, p99`), 'limit'];
  const lines = rows.map(({ name, before, during, limit }) => [
    name,
    ...[before, ...during].map(({ count, p99 }) => `${count}, ${text(p99)}`),
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

function cellOf(phase: string, samples: readonly Sample[]): Cell {
  const ms = samples.map(({ start, end = Number.POSITIVE_INFINITY }) => end - start).sort((a, b) => a - b);
  const share = ms.length < PERCENTILE_SAMPLES_MIN ? 0.5 : 0.99;
  return { phase, count: ms.length, p99: ms[Math.ceil(share * ms.length) - 1] ?? 0 };
}

const text = (ms: number): string => (Number.isFinite(ms) ? `${ms.toFixed(0)} ms` : 'never');
