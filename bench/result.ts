import type { MeasuredWork } from './work/work.ts';

/** One figure of a bench (`ours`) and the baseline of the same run (`bare`). */
export interface Result {
  readonly name: string;
  readonly ours: number;
  readonly bare: number;
  readonly unit: string;
  /** The goal as text, for display. */
  readonly goal: string;
  readonly reached: boolean;
  /** Additional figures. */
  readonly extras?: Readonly<Record<string, number>>;
}

/** The results of a bench, and the work that the service did for them. */
export interface BenchReport {
  readonly results: readonly Result[];
  readonly work: readonly MeasuredWork[];
}

export type Bench = (options: { size: number | undefined; say: (line: string) => void }) => Promise<BenchReport>;

/** Formats the results as a table, or as one line of JSON per figure. */
export function printResults(bench: string, results: readonly Result[], json: boolean): string {
  const rounded = (value: number) => Number(value.toPrecision(4));
  if (json)
    return results
      .map(({ name, ours, bare, unit, goal, reached, extras }) =>
        JSON.stringify({
          bench: `${bench} ${name}`,
          ours: rounded(ours),
          bare: rounded(bare),
          ratio: rounded(ours / bare),
          goal,
          reached,
          unit,
          ...extras,
        }),
      )
      .map((line) => `${line}\n`)
      .join('');
  const header = [bench, 'ours', 'bare', 'ratio', 'unit', 'goal', ''];
  const rows = results.map(({ name, ours, bare, unit, goal, reached, extras = {} }) => [
    name,
    `${rounded(ours)}`,
    `${rounded(bare)}`,
    (ours / bare).toFixed(2),
    unit,
    goal,
    [
      reached ? 'reached' : 'MISSED',
      ...Object.entries(extras).map(([label, value]) => `${label} ${rounded(value)}`),
    ].join(', '),
  ]);
  return formatTable(header, rows, [1, 2, 3]);
}

/** Formats rows below a header, with aligned columns. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[],
): string {
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((row) => (row[i] as string).length)));
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, i) =>
        rightAligned.includes(i) ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number),
      )
      .join('  ')
      .trimEnd(),
  );
  return `\n${lines.join('\n')}\n`;
}
