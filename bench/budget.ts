import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { npmExit } from '../scripts/stack/npm-exit.ts';
import {
  type Budget,
  type Comparison,
  compareBudget,
  lowestOf,
  type Measurement,
  toBudget,
} from './work/compare-budget.ts';
import { measureScenarios } from './work/measure-scenarios.ts';
import { formatMitigations } from './work/mitigations.ts';
import { formatWorkTable } from './work/work.ts';

// `npm run budget` measures the work of typical operations, and fails if a figure is higher than in `budget.json`.
// `npm run budget -- --update` writes the measured figures to the file. With `--statements`, it also prints how often
// each statement is executed in each scenario.

/** Each measurement takes three and a half minutes. Work that has really risen is too high in all of them. */
const MEASUREMENTS_MAX = 3;

const BUDGET_FILE = new URL('./budget.json', import.meta.url);

const { values } = parseArgs({
  options: { update: { type: 'boolean', default: false }, statements: { type: 'boolean', default: false } },
});
void npmExit().then(() => process.exit(1)); // the processes that it started end with this one
if (values.update) await writeFile(BUDGET_FILE, `${JSON.stringify(toBudget(await measure()), null, 2)}\n`);
else report(await compare(JSON.parse(await readFile(BUDGET_FILE, 'utf8')) as Budget));

async function measure(): Promise<Measurement> {
  const measured = await measureScenarios({
    say: (line) => void process.stderr.write(`${line}\n`),
    listStatements: values.statements,
  });
  process.stdout.write(formatWorkTable('work', Object.entries(measured.scenarios)));
  process.stdout.write(formatMitigations(measured.mitigations));
  return measured;
}

/**
 * If a figure is too high, measures again, because a job that runs once a minute can fall into a short scenario. A worker
 * that claims fewer slices at a time also needs more statements.
 */
async function compare(budget: Budget): Promise<Comparison> {
  let { scenarios } = await measure();
  let comparison = compareBudget(budget, scenarios);
  for (let measured = 1; comparison.failures.length > 0 && measured < MEASUREMENTS_MAX; measured++) {
    process.stdout.write(`\n${comparison.failures.join('\n')}\nMeasuring again; the lower figures count.\n`);
    scenarios = lowestOf(scenarios, (await measure()).scenarios);
    comparison = compareBudget(budget, scenarios);
  }
  return comparison;
}

function report({ failures, hints }: Comparison): void {
  const lines = [...failures, ...hints];
  if (failures.length > 0) {
    lines.push(
      'The work is above the budget. To find the cause, compare the output of `npm run budget -- --statements` with that of the previous commit.',
      'Reduce the work, or run `npm run budget -- --update` and explain the rise in the commit.',
    );
    process.exitCode = 1;
  } else if (hints.length > 0)
    lines.push(
      'The work is below the budget. Run `npm run budget -- --update`, so that the lower figures are enforced.',
    );
  else lines.push('The work is within the budget.');
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
