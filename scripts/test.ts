import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, statfsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const everyTest = ['src', 'test', 'simulators', 'sdk', 'cli', 'bench'].map((folder) => `${folder}/**/*.test.ts`);

/** Tests without PostgreSQL and NATS: all tests outside `test/`, and these files below it. */
const quickTests = [
  ...everyTest.filter((glob) => !glob.startsWith('test/')),
  'test/tidy/**/*.test.ts',
  'test/layers.test.ts',
];

/**
 * Files that run one at a time: those in faults and time check real deadlines under load, the simulation and the
 * interleavings keep two cores busy, the logins measure times, and the MQTT fuzzer keeps one core busy. The negative
 * controls expect failures, which a busy machine does not prevent.
 *
 * All other files run two at a time, which the smallest CI machine supports; more would make timings depend on the
 * machine. Each pass has a separate stack (about two seconds to start), so that leftovers from the first pass cannot
 * disturb the second.
 */
const runsSerially = /^test\/(faults\/(?!negative-controls)|interleavings|simulation|time|security\/login|mqtt\/fuzz)/;
const CONCURRENCY = 2;

const TEST_MINUTES_MAX = 10;

/**
 * Maximum duration of a pass. The runner's own timeout does not detect a file that blocks its event loop (node 24.21).
 */
const PASS_MINUTES_MAX = 45;

/** Space for the data of two passes and of the servers that single tests start. */
const MEMORY_BYTES_MIN = 8 * 1024 ** 3;

/** Time for an interrupted runner to end its test files. */
const INTERRUPT_SECONDS_MAX = 15;

/**
 * The end of the runner's report, absent if it was interrupted. It is matched as a whole, because a test may print
 * similar lines.
 */
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

// Short tests spend most of their time loading source code, in hundreds of processes that load the same files. The
// processes of one run share a compile cache, which halves the startup time. The cache is keyed by content, so a
// changed file is compiled again.
const temporaryDirectory = findTemporaryDirectory();
const compileCache = await mkdtemp(join(temporaryDirectory, 'carillon-compiled-'));

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
if (passed + failed === 0) console.error('No test ran. This counts as a failure.');
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/**
 * Returns a directory in memory if there is enough space. On a shared disk, a PostgreSQL server may wait for seconds for
 * a write, which tests of deadlines would report as an outage. A killed server loses nothing in either place.
 */
function findTemporaryDirectory(): string {
  const memory = '/dev/shm';
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= MEMORY_BYTES_MIN ? memory : tmpdir();
}

/** Returns the glob for a pattern. A folder is expanded to all tests in it. */
function toGlob(pattern: string): string {
  const isFolder = statSync(resolve(root, pattern), { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(pattern, '**/*.test.ts') : pattern;
}

/** Finds the test files. The runner accepts a glob without matches, so this function rejects it. */
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
  const directory = await mkdtemp(join(temporaryDirectory, 'carillon-test-'));
  const reportFile = join(directory, 'report.tap');
  const code = await runNode([
    '--test',
    `--test-timeout=${TEST_MINUTES_MAX * 60_000}`,
    `--test-concurrency=${concurrency}`,
    ...(isQuick ? [] : ['--test-global-setup=test/support/global-setup.ts']),
    // Replaces `--test-force-exit`, with which Node.js 24.21 loses the results of files that end quickly.
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

/** Runs Node.js with the same input and output, forwards signals, and returns the exit code. */
async function runNode(nodeArgs: readonly string[]): Promise<number | null> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache, TMPDIR: temporaryDirectory };
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
  // A file without a test is reported as a passed test with the name of the file. With a name pattern this is expected.
  const passedNames = new Set([...report.matchAll(/^ok \d+ - (.*)$/gm)].map(([, name]) => name));
  const empty = passFiles.filter((file) => passedNames.has(file));
  const faulty = flags.length === 0 ? empty : [];
  for (const file of faulty) console.error(`${file} has no test.`);
  // A failed hook or an incomplete run is visible only in the exit code.
  const failures = (fail ?? 0) + (cancelled ?? 0) + faulty.length;
  return { passed: Math.max((pass ?? 0) - empty.length, 0), failed: code === 0 ? failures : Math.max(failures, 1) };
}
