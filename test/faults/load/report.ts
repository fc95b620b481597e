import { appendFileSync } from 'node:fs';

/**
 * Result of one run: the faults that were injected, and the differences between the ledger and the notifications that
 * were received.
 */
export interface Report {
  readonly scenario: string;
  readonly devices: number;
  readonly connected: number;
  /** Number of accepted tasks, and number of their places. */
  readonly tasks: number;
  readonly places: number;
  /** Calls that failed and were retried with the same request id. */
  readonly repeatedCalls: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Accepted tasks that are missing, and reachable devices that were not reached. */
  readonly lost: number;
  /** Sum of the amounts by which counters exceed the number of received notifications. */
  readonly countedTwice: number;
  /** Tasks that are not finished at the end of the drain time. */
  readonly open: number;
  /**
   * Notifications that Apple accepted more than once, under the same collapse id, and the maximum that the faults
   * explain.
   */
  readonly repeats: number;
  readonly repeatsMax: number;
  readonly loadSeconds: number;
  readonly drainSeconds: number;
}

/** Appends one line per run, from which `scripts/faults.ts` prints a table. */
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
