import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Report } from '../test/faults/load/report.ts';
import { gatewayScenarios, scenarios } from '../test/faults/load/scenarios.ts';

// `npm run faults`: runs the service under load while workers, gateways, PostgreSQL and NATS fail, and prints a table
// of the results.
//
// By default it runs as in CI, with 5,000 devices and 150 sessions. `--full` uses 50,000 devices, 5,000 sessions,
// longer faults and a separate service for each scenario. `--only NATS` selects the scenarios with this word in their
// name.

/** The test files and the scenarios that they contain. */
const TESTS = [
  { file: 'test/faults/under-load.test.ts', names: scenarios as readonly string[] },
  { file: 'test/faults/gateway.test.ts', names: gatewayScenarios as readonly string[] },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const allScenarios = TESTS.flatMap(({ names }) => names);
const selected = allScenarios.filter((scenario) => scenario.includes(values.only));
if (selected.length === 0)
  throw new Error(`No scenario name contains "${values.only}". Scenarios: ${allScenarios.join(', ')}.`);

const directory = await mkdtemp(join(tmpdir(), 'carillon-faults-'));
const reportFile = join(directory, 'reports');
const runs = values.full
  ? selected.map((scenario) => [scenario])
  : TESTS.map(({ names }) => names.filter((name) => selected.includes(name))).filter(({ length }) => length > 0);
const failed: string[] = [];
for (const [i, scenarioNames] of runs.entries()) {
  console.log(`\n${scenarioNames.join(', ')} (${i + 1} of ${runs.length})`);
  if ((await runTests(scenarioNames)) !== 0) failed.push(...scenarioNames);
}
const reports = existsSync(reportFile) ? await readFile(reportFile, 'utf8') : '';
await rm(directory, { recursive: true });
printTable(
  reports
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Report),
);
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runTests(scenarioNames: readonly string[]): Promise<number | null> {
  const pattern = `^(${scenarioNames.join('|')})$`;
  const file = TESTS.find(({ names }) => names.includes(scenarioNames[0] as string))?.file as string;
  const child = spawn(process.execPath, ['scripts/test.ts', file, `--test-name-pattern=${pattern}`], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CARILLON_FAULTS: values.full ? 'full' : 'short', CARILLON_FAULTS_REPORT: reportFile },
  });
  const interrupt = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  return code;
}

function printTable(rows: readonly Report[]): void {
  const columns: readonly (readonly [title: string, cell: (row: Report) => string | number])[] = [
    ['scenario', ({ scenario }) => scenario],
    [
      'faults',
      ({ faults }) =>
        Object.entries(faults)
          .map(([what, count]) => `${count} ${what}`)
          .join(', '),
    ],
    ['tasks', ({ tasks }) => tasks],
    ['places', ({ places }) => places],
    ['repeated calls', ({ repeatedCalls }) => repeatedCalls],
    ['lost', ({ lost }) => lost],
    ['twice', ({ countedTwice }) => countedTwice],
    ['open', ({ open }) => open],
    ['repeated sends', ({ repeats, repeatsMax }) => `${repeats} of ${repeatsMax}`],
    ['load', ({ loadSeconds }) => `${loadSeconds.toFixed(0)} s`],
    ['drain', ({ drainSeconds }) => `${drainSeconds.toFixed(0)} s`],
  ];
  const [first] = rows;
  if (!first) return;
  console.log(`\n${first.devices} devices, ${first.connected} of them connected\n`);
  const table = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => `${cell(row)}`))];
  const widths = columns.map((_, i) => Math.max(...table.map((cells) => (cells[i] as string).length)));
  for (const cells of table)
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    );
}
