import { formatTable } from '../result.ts';

/** The work of all processes of a service in a period. All figures except CPU seconds are independent of the machine. */
export interface Work {
  readonly seconds: number;
  readonly statements: number;
  /** Transactions that wrote something. */
  readonly commits: number;
  readonly walBytes: number;
  /** Messages that were published to NATS, including replies. */
  readonly natsMessages: number;
  readonly postgresCpuSeconds: number;
  readonly apiCpuSeconds: number;
  readonly gatewayCpuSeconds: number;
  readonly workerCpuSeconds: number;
}

/** The work of one step of a bench, with the number of units that it processed, such as `{ push: 1, device: 15000 }`. */
export interface MeasuredWork {
  readonly name: string;
  readonly work: Work;
  readonly counts: Readonly<Record<string, number>>;
}

/** The figures of one unit. CPU time is in milliseconds, because a push needs less than a second. */
export type WorkPerUnit = Readonly<Record<keyof typeof figureTitles, number>>;

const figureTitles = {
  statements: 'statements',
  commits: 'commits',
  walBytes: 'WAL bytes',
  natsMessages: 'NATS messages',
  postgresCpuMs: 'PostgreSQL CPU ms',
  apiCpuMs: 'api CPU ms',
  gatewayCpuMs: 'gateway CPU ms',
  workerCpuMs: 'worker CPU ms',
} as const;

export function subtractWork(after: Work, before: Work): Work {
  return mapWork(after, (value, figure) => value - before[figure]);
}

/**
 * Subtracts the work that an idle service does in the same time, such as sweeps and heartbeats. Without this, the
 * figures would rise with the duration, and therefore on a slow machine.
 */
export function subtractIdle(work: Work, idle: Work): Work {
  const ratio = work.seconds / idle.seconds;
  return mapWork(work, (value, figure) => (figure === 'seconds' ? value : Math.max(value - idle[figure] * ratio, 0)));
}

function mapWork(work: Work, map: (value: number, figure: keyof Work) => number): Work {
  const entries = Object.entries(work) as [keyof Work, number][];
  return Object.fromEntries(entries.map(([figure, value]) => [figure, map(value, figure)])) as unknown as Work;
}

export function divideWork(work: Work, count: number): WorkPerUnit {
  const milliseconds = (seconds: number) => (seconds * 1_000) / count;
  return {
    statements: work.statements / count,
    commits: work.commits / count,
    walBytes: work.walBytes / count,
    natsMessages: work.natsMessages / count,
    postgresCpuMs: milliseconds(work.postgresCpuSeconds),
    apiCpuMs: milliseconds(work.apiCpuSeconds),
    gatewayCpuMs: milliseconds(work.gatewayCpuSeconds),
    workerCpuMs: milliseconds(work.workerCpuSeconds),
  };
}

/** Formats the work per unit as a table, or as one line of JSON per unit. */
export function printWork(bench: string, measured: readonly MeasuredWork[], json: boolean): string {
  const rows = measured.flatMap(({ name, work, counts }) =>
    Object.entries(counts).map(([unit, count]) => ({ name, unit, figures: divideWork(work, count) })),
  );
  if (json)
    return rows
      .map(({ name, unit, figures }) => {
        const rounded = Object.entries(figures).map(([figure, value]) => [figure, roundFigure(value)]);
        return `${JSON.stringify({ bench: `${bench} work`, name, per: unit, ...Object.fromEntries(rounded) })}\n`;
      })
      .join('');
  return formatWorkTable(
    `${bench} work`,
    rows.map(({ name, unit, figures }) => [`${name}, per ${unit}`, figures]),
  );
}

export function formatWorkTable(title: string, rows: readonly (readonly [name: string, WorkPerUnit])[]): string {
  const figures = Object.keys(figureTitles) as (keyof WorkPerUnit)[];
  return formatTable(
    [title, ...Object.values(figureTitles)],
    rows.map(([name, work]) => [name, ...figures.map((figure) => `${roundFigure(work[figure])}`)]),
    figures.map((_, i) => i + 1),
  );
}

/** Keeps four significant digits, and all digits of large integers. */
export function roundFigure(value: number): number {
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(4));
}
