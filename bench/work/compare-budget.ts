import type { MitigationStatements } from './mitigations.ts';
import { roundFigure, type WorkPerUnit } from './work.ts';

/**
 * Figures that must not rise without a change of the budget. CPU time depends on the machine, and it varies by a tenth
 * between two runs on the same machine.
 */
export const enforcedFigures = ['statements', 'commits', 'walBytes', 'natsMessages'] as const;
export type EnforcedFigure = (typeof enforcedFigures)[number];

/** The budget file. `measured` and `mitigations` are for information only. */
export interface Budget {
  readonly enforced: Readonly<Partial<Record<Scenario, Readonly<Partial<Record<EnforcedFigure, number>>>>>>;
  readonly measured: Readonly<Partial<Record<Scenario, Readonly<Record<string, number>>>>>;
  /** The statements of each protection against attacks. They are part of `enforced`. */
  readonly mitigations: Measurement['mitigations'];
}

const RISE_MAX = 0.05;

type Slack = Readonly<Record<EnforcedFigure, number>>;

/** The scenarios, each with the rise that is accepted in addition to 5 %. */
export const scenarios = {
  // A period can contain one tick more of a timer than another, which is a twentieth of a statement per operation.
  'single push': { statements: 0.05, commits: 0.02, walBytes: 5, natsMessages: 0.02 },
  connect: { statements: 0.05, commits: 0.02, walBytes: 5, natsMessages: 0.02 },
  // A login hashes a password, so there are only a few, and the ticks of timers weigh more. Once a minute, a worker writes
  // the counters of a day that has changed, about 4 KB of WAL.
  login: { statements: 0.3, commits: 0.2, walBytes: 150, natsMessages: 0.1 },
  // An updated row that does not fit on its page needs more WAL, which depends on when PostgreSQL pruned the page.
  receipt: { statements: 0.05, commits: 0.02, walBytes: 15, natsMessages: 0.02 },
  // A claim finds one to nine slices, and each claim sends a request to the gateway.
  'push to all, per push': { statements: 5, commits: 5, walBytes: 0, natsMessages: 10 },
  'push to all, per device': { statements: 0.0004, commits: 0.0004, walBytes: 0, natsMessages: 0.0007 },
  // There are only twelve phones, so one additional statement of a timer is a twelfth of a statement per phone. The
  // counters of a day weigh even more than in a login.
  waiting: { statements: 2.5, commits: 0.7, walBytes: 300, natsMessages: 0.2 },
  // Processes repeat some statements that were interrupted, and the worker closes some slices later.
  'reconnect, per session': { statements: 0.01, commits: 0.01, walBytes: 5, natsMessages: 0.01 },
  // A heartbeat of the gateway to two databases, and a refresh of the worker's metrics.
  'idle minute': { statements: 20, commits: 4, walBytes: 300, natsMessages: 1 },
} as const satisfies Record<string, Slack>;

export type Scenario = keyof typeof scenarios;
export type MeasuredScenarios = Readonly<Record<Scenario, WorkPerUnit>>;

export interface Measurement {
  readonly scenarios: MeasuredScenarios;
  readonly mitigations: Readonly<Partial<Record<Scenario, MitigationStatements>>>;
}

export interface Comparison {
  /** Figures that are too high or that the budget does not contain. */
  readonly failures: readonly string[];
  /** Figures that are so low that the budget should be lowered. */
  readonly hints: readonly string[];
}

export function compareBudget(budget: Budget, measured: MeasuredScenarios): Comparison {
  const failures: string[] = [];
  const hints: string[] = [];
  for (const [scenario, slack] of Object.entries(scenarios) as [Scenario, Slack][]) {
    for (const figure of enforcedFigures) {
      const [before, after] = [budget.enforced[scenario]?.[figure], roundFigure(measured[scenario][figure])];
      const name = `${scenario}: ${figure}`;
      if (before === undefined) failures.push(`${name} is not in the budget (measured ${after}).`);
      else if (after > before * (1 + RISE_MAX) + slack[figure]) failures.push(`${name} rose ${change(before, after)}.`);
      else if (after < before * (1 - RISE_MAX) - slack[figure]) hints.push(`${name} fell ${change(before, after)}.`);
    }
  }
  return { failures, hints };
}

/** Returns the lower of two measurements of each figure. */
export function lowestOf(first: MeasuredScenarios, second: MeasuredScenarios): MeasuredScenarios {
  const lowest = (scenario: Scenario): WorkPerUnit => {
    const figures = Object.entries(first[scenario]) as [keyof WorkPerUnit, number][];
    return Object.fromEntries(
      figures.map(([figure, value]) => [figure, Math.min(value, second[scenario][figure])]),
    ) as unknown as WorkPerUnit;
  };
  const names = Object.keys(first) as Scenario[];
  return Object.fromEntries(names.map((scenario) => [scenario, lowest(scenario)])) as unknown as MeasuredScenarios;
}

function change(before: number, after: number): string {
  const percent = ((after - before) / before) * 100;
  const sign = percent > 0 ? '+' : '';
  return `from ${before} to ${after}${before === 0 ? '' : ` (${sign}${percent.toFixed(1)} %)`}`;
}

export function toBudget({ scenarios: measured, mitigations }: Measurement): Budget {
  const isEnforced = (figure: string) => enforcedFigures.some((enforced) => enforced === figure);
  const select = (wanted: boolean) =>
    Object.fromEntries(
      Object.entries(measured).map(([scenario, work]) => [
        scenario,
        Object.fromEntries(
          Object.entries(work)
            .filter(([figure]) => isEnforced(figure) === wanted)
            .map(([figure, value]) => [figure, roundFigure(value)]),
        ),
      ]),
    );
  return { enforced: select(true), measured: select(false), mitigations };
}
