import { appendFileSync } from 'node:fs';

/** What came of one run: the faults that were really injected, and what the ledger says against what really happened. */
export interface Report {
  readonly scenario: string;
  readonly devices: number;
  readonly connected: number;
  /** Tasks that were accepted, and how many places they have. */
  readonly tasks: number;
  readonly places: number;
  /** Calls that broke or were refused, and were made again with the same request id. */
  readonly repeatedCalls: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Accepted tasks that are not there, and devices that were neither reached nor told why not. */
  readonly lost: number;
  /** By how much counters are above what really arrived. */
  readonly countedTwice: number;
  /** Tasks that are not finished when the time to drain is over. */
  readonly open: number;
  /** Notifications that Apple took more than once, under the same collapse id, and how many the faults explain. */
  readonly repeats: number;
  readonly repeatsMax: number;
  readonly loadSeconds: number;
  readonly drainSeconds: number;
}

/** One line a run, for whoever started the tests and wants a table: `scripts/faults.ts`. */
export function appendReport(report: Report): void {
  const file = process.env.CARILLON_FAULTS_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify(report)}\n`);
}

export function reportText(report: Report): string {
  const faults = Object.entries(report.faults).map(([what, count]) => `${count} ${what}`);
  return [
    `${report.devices} devices, ${report.connected} connected, ${report.tasks} tasks, ${report.places} places`,
    `faults: ${faults.join(', ')}; ${report.repeatedCalls} calls repeated`,
    `lost ${report.lost}, counted twice ${report.countedTwice}, open ${report.open}`,
    `sent again ${report.repeats} of at most ${report.repeatsMax}`,
    `load ${report.loadSeconds.toFixed(0)} s, drain ${report.drainSeconds.toFixed(0)} s`,
  ].join('; ');
}
