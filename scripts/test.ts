import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const everyTest = ['src', 'test', 'simulators', 'sdk', 'cli'].map((folder) => `${folder}/**/*.test.ts`);

/** Tests of pure code are next to it; only files below `test/` may use PostgreSQL or NATS, and of those these do not. */
const quickTests = [
  ...everyTest.filter((glob) => !glob.startsWith('test/')),
  'test/tidy/**/*.test.ts',
  'test/layers.test.ts',
];

/**
 * Deploy, flows, guides and faults start many processes and hold them to real deadlines, security measures times, the
 * simulation keeps two cores busy by itself and the fuzzer of MQTT one, so nothing runs beside them. All other files run
 * two at a time, which the smallest CI machine can do; more would change timings from machine to machine. Each pass has a
 * stack of its own (about two seconds), so what the first one leaves behind cannot disturb the second.
 */
const runsSerially = /^test\/(deploy|faults|flows|guides|mqtt|security|simulation)\//;
const CONCURRENCY = 2;

const TEST_MINUTES_MAX = 10;

/** A file that blocks its event loop is not seen by the runner's own timeout (node 24.21), so a pass has one too. */
const PASS_MINUTES_MAX = 45;

/** Time for an interrupted runner to end its test files. */
const INTERRUPT_SECONDS_MAX = 15;

/** How the runner's report ends, unless it was interrupted. Whole, since a test may print lines that look like one. */
const summary = /^# tests \d+\n# suites \d+\n# pass (\d+)\n# fail (\d+)\n# cancelled (\d+)\n/gm;

type Counts = { passed: number; failed: number };

let interrupted = false;

// `npm test`, or `npm test -- src/x.test.ts 'src/api/**/*.test.ts' --test-name-pattern=word`.
// `--quick` runs the tests that need neither PostgreSQL nor NATS. `--watch` runs the given files again after each change.
const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const isWatching = args.includes('--watch');
const flags = args.filter((arg) => arg.startsWith('-') && arg !== '--quick');
const patterns = args.filter((arg) => !arg.startsWith('-'));
const files = findFiles(patterns);

// Most of a short test is node reading its source and ours, in hundreds of processes that read the same. Those of one run
// keep for each other what they compiled (by content: a changed file is compiled anew), which halves the time of a start.
const compileCache = await mkdtemp(join(tmpdir(), 'carillon-compiled-'));

const passes = [
  await runPass(
    files.filter((file) => !runsSerially.test(file)),
    CONCURRENCY,
  ),
  await runPass(
    files.filter((file) => runsSerially.test(file)),
    1,
  ),
];
await rm(compileCache, { recursive: true, force: true });
const passed = passes.reduce((sum, counts) => sum + counts.passed, 0);
const failed = passes.reduce((sum, counts) => sum + counts.failed, 0);
if (passed + failed === 0) console.error('No test ran, which is a failure.');
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** A folder stands for the tests in it. */
function toGlob(pattern: string): string {
  const isFolder = statSync(resolve(root, pattern), { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(pattern, '**/*.test.ts') : pattern;
}

/** The runner is content with a glob that matches nothing, so we look ourselves. */
function findFiles(requested: readonly string[]): string[] {
  const matchedFiles = (requested.length > 0 ? requested : isQuick ? quickTests : everyTest).map((pattern) =>
    globSync(toGlob(pattern), { cwd: root }),
  );
  const missing = requested.filter((_, index) => matchedFiles[index]?.length === 0);
  if (missing.length > 0) {
    console.error(`No test file matches ${missing.join(', ')}.`);
    process.exit(1);
  }
  return [...new Set(matchedFiles.flat().map((file) => relative(root, resolve(root, file))))].sort();
}

async function runPass(passFiles: readonly string[], concurrency: number): Promise<Counts> {
  if (passFiles.length === 0 || interrupted) return { passed: 0, failed: 0 };
  const directory = await mkdtemp(join(tmpdir(), 'carillon-test-'));
  const reportFile = join(directory, 'report.tap');
  const code = await runNode([
    '--test',
    `--test-timeout=${TEST_MINUTES_MAX * 60_000}`,
    `--test-concurrency=${concurrency}`,
    ...(isQuick ? [] : ['--test-global-setup=test/support/global-setup.ts']),
    // Not --test-force-exit: node 24.21 then loses results of files that end quickly.
    '--import=./test/support/exit-after-tests.ts',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${reportFile}`,
    ...flags,
    ...passFiles,
  ]);
  const report = existsSync(reportFile) ? await readFile(reportFile, 'utf8') : '';
  await rm(directory, { recursive: true });
  return countTests(report, code, passFiles);
}

/** Runs node with our input and output, hands our signals on, and returns its exit code. */
async function runNode(nodeArgs: readonly string[]): Promise<number | null> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  const runner = spawn(process.execPath, nodeArgs, { cwd: root, env, stdio: 'inherit' });
  let killTimer: NodeJS.Timeout | undefined;
  const interrupt = (signal: NodeJS.Signals) => {
    interrupted = true;
    runner.kill(signal);
    killTimer ??= setTimeout(() => runner.kill('SIGKILL'), INTERRUPT_SECONDS_MAX * 1000);
  };
  const deadline = setTimeout(() => {
    if (isWatching) return;
    console.error(`The tests were stopped after ${PASS_MINUTES_MAX} minutes.`);
    interrupt('SIGTERM');
  }, PASS_MINUTES_MAX * 60_000);
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);

  const [code] = await once(runner, 'exit');
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  clearTimeout(deadline);
  clearTimeout(killTimer);
  return code;
}

function countTests(report: string, code: number | null, passFiles: readonly string[]): Counts {
  const [, pass, fail, cancelled] = [...report.matchAll(summary)].at(-1)?.map(Number) ?? [];
  // A file without a test is reported as a passed test with the file's name. With a name pattern that is to be expected.
  const passedNames = new Set([...report.matchAll(/^ok \d+ - (.*)$/gm)].map(([, name]) => name));
  const empty = passFiles.filter((file) => passedNames.has(file));
  const faulty = flags.length === 0 ? empty : [];
  for (const file of faulty) console.error(`${file} has no test.`);
  // A failed hook, or a runner that did not come to its end, is counted nowhere but in the exit code.
  const failures = (fail ?? 0) + (cancelled ?? 0) + faulty.length;
  return { passed: Math.max((pass ?? 0) - empty.length, 0), failed: code === 0 ? failures : Math.max(failures, 1) };
}
