import { type ProbedDevice, type ProbedVendor, type Step, stepNames } from './step.ts';

export interface ReportFacts {
  readonly vendor: ProbedVendor;
  readonly deviceKind: ProbedDevice['kind'];
  /** Whether the operator gave the bad token. The default token has the wrong format. */
  readonly hasOwnBadToken: boolean;
  readonly startedAt: Date;
  readonly serviceVersion: string;
  readonly commandVersion: string;
  /** Undefined if the service does not report it. */
  readonly hasDefaultUrl: boolean | undefined;
  readonly steps: readonly Step[];
}

const states = { ok: 'passed', warning: 'warning', wrong: 'failed' } as const;

/** Returns whether the vendor's live service was confirmed: it accepted the notification at its default URL. */
export function isConfirmed({ steps, hasDefaultUrl }: Pick<ReportFacts, 'steps' | 'hasDefaultUrl'>): boolean {
  return (
    hasDefaultUrl === true &&
    steps.every(({ state }) => state !== 'wrong') &&
    steps.some(({ check }) => check === 'notification')
  );
}

/** Returns the names of the steps that did not run. The clean-up is not a check. */
export function stepsNotRun(steps: readonly Step[]): string[] {
  return stepNames.filter((name) => name !== 'clean-up' && !steps.some(({ check }) => check === name));
}

/** Returns the report as Markdown. The texts of the steps are redacted already. */
export function toReport(facts: ReportFacts): string {
  const { vendor, startedAt, steps } = facts;
  const environment = vendor.environment === 1 ? 'production' : 'development';
  return `${[
    `# Vendor probe: ${vendor.displayName}, ${dayOf(startedAt)}`,
    '',
    '| Item | Value |',
    '|---|---|',
    `| Vendor | ${vendor.displayName} (\`provider\` ${vendor.provider}), environment ${vendor.environment} (${environment}) |`,
    `| Started | ${startedAt.toISOString().replace(/\.\d+Z$/, 'Z')} |`,
    `| Version of the service | ${cell(facts.serviceVersion)} |`,
    `| Version of the command | ${cell(facts.commandVersion)}, Node.js ${process.version} |`,
    `| URL of the vendor | ${urlOf(facts.hasDefaultUrl)} |`,
    `| Device | ${facts.deviceKind === 'new' ? 'new device with a given vendor token' : 'existing device'} |`,
    `| Live service confirmed | ${isConfirmed(facts) ? 'yes' : 'no'} |`,
    '| Run by | add your name |',
    '| Shown on the phone | add yes or no |',
    '',
    '## Steps',
    '',
    '| Step | Result | Duration |',
    '|---|---|---|',
    ...steps.map(({ check, state, seconds }) => `| ${check} | ${states[state]} | ${seconds.toFixed(1)} s |`),
    ...stepsNotRun(steps).map((name) => `| ${name} | not run | – |`),
    ...steps.flatMap(detailsOf),
    '',
    '## Not checked',
    '',
    ...notChecked(facts).map((line) => `- ${line}`),
    '',
    'Vendor tokens, push tokens and identifiers of the app are removed from this report. In texts of the vendor, only',
    'words and short numbers are kept. Read the report before you publish it.',
  ].join('\n')}\n`;
}

function detailsOf({ check, text, advice, taskId, results }: Step): string[] {
  return [
    '',
    `### ${check}`,
    '',
    cell(text),
    ...(advice === undefined ? [] : ['', `Next step: ${cell(advice)}`]),
    ...(taskId === undefined ? [] : ['', `Task: ${taskId}`]),
    ...(results.length === 0
      ? []
      : [
          '',
          '| Result in Carillon | Code or message of the vendor |',
          '|---|---|',
          ...results.map(({ code, detail }) => `| ${code} | ${detail === null ? '–' : cell(detail)} |`),
        ]),
  ];
}

function notChecked({ hasOwnBadToken, steps, hasDefaultUrl, vendor }: ReportFacts): string[] {
  return [
    ...(hasDefaultUrl === true ? [] : ["that the service calls the vendor's live URL"]),
    ...stepsNotRun(steps).map((name) => `the step "${name}"`),
    ...(hasOwnBadToken ? [] : ['the code for the vendor token of a phone without the app (set `--bad-token`)']),
    `the credentials of environment ${1 - vendor.environment}`,
    'whether the phone showed the notification (add it to the table above)',
    'data-only messages, images, badges, clicks, message classes, daily quotas and rate limits',
    'requests with several vendor tokens',
  ];
}

function urlOf(hasDefaultUrl: boolean | undefined): string {
  if (hasDefaultUrl === undefined) return 'unknown: the service does not report it';
  return hasDefaultUrl ? 'default' : 'replaced by a setting, for example with a simulator';
}

/** Escapes a text so that it stays on one line and in one table cell, and contains no Markdown or HTML. */
const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_<>|[\]]/g, '\\$&');

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
