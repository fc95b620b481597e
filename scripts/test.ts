import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, statfsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from './bundle-programs.ts';
import type { TestResult } from './test-results.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const everyTest = ['src', 'test', 'simulators', 'sdk', 'sdks', 'cli', 'bench'].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/** Tests without PostgreSQL and NATS: all tests outside `test/`, and these files below it. */
const quickTests = [
  ...everyTest.filter((glob) => !glob.startsWith('test/')),
  'test/tidy/**/*.test.ts',
  'test/layers.test.ts',
];

/**
 * Each pass has a separate stack (about two seconds to start), so that leftovers of one pass cannot disturb the next.
 * Two files at a time are what the smallest CI machine supports, unless they mostly wait. More would make timings depend
 * on the machine.
 */
const passKinds = [
  { name: 'ordinary', concurrency: 2 },
  // They wait for deadlines most of the time, and use less than one core together. Ordinary files would delay them.
  { name: 'waiting', concurrency: 3 },
  // They measure times, put a load on the service, or keep two cores busy.
  { name: 'alone', concurrency: 1 },
] as const;

/** The negative controls expect failures, which a busy machine does not prevent, so they are ordinary. */
const isFault = /^test\/faults\/(?!negative-controls)/;
const runsAlone =
  /^test\/(faults\/(commit|database-outages|frozen-postgres|gateway|long-outage|postgres-and-nats|under-load|worker)\.|interleavings|simulation|time|security\/login|mqtt\/fuzz)/;

const TEST_MINUTES_MAX = 10;

/**
 * Maximum duration of a pass. The runner's own timeout does not detect a file that blocks its event loop (node 24.21).
 */
const PASS_MINUTES_MAX = 45;

/**
 * In a run of all tests, this many failed files are run once more, alone. A loaded machine can make one of thousands of
 * tests miss a deadline. A file that fails twice counts, and so do more failures than these.
 */
const REPEATED_FILES_MAX = 3;

/** Space for the data of two passes and of the servers that single tests start. */
const MEMORY_BYTES_MIN = 8 * 1024 ** 3;

/** The slowest files of a whole run are listed, so that the duration of CI does not grow unnoticed. */
const SLOWEST_FILES = 50;

/** Time for an interrupted runner to end its test files. */
const INTERRUPT_SECONDS_MAX = 15;

interface PassResult {
  readonly passed: number;
  readonly failed: number;
  /** Files in which a test failed, or which ended without a result. */
  readonly failedFiles: readonly string[];
  readonly durations: readonly FileDuration[];
}

interface FileDuration {
  readonly file: string;
  readonly seconds: number;
}

let interrupted = false;

// `npm test`, or `npm test -- src/x.test.ts 'src/api/**/*.test.ts' --test-name-pattern=word`.
// `--quick` runs the tests that need neither PostgreSQL nor NATS. `--watch` runs the given files again after each change.
const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const isWatching = args.includes('--watch');
const flags = args.filter((arg) => arg.startsWith('-') && arg !== '--quick');
const patterns = args.filter((arg) => !arg.startsWith('-'));
const isWholeRun = patterns.length === 0 && flags.length === 0;
const files = findFiles(patterns);

// Short tests spend most of their time loading source code, in hundreds of processes that load the same files. The
// processes of one run share a compile cache, which halves the startup time. The cache is keyed by content, so a
// changed file is compiled again.
const temporaryDirectory = findTemporaryDirectory();
const compileCache = await mkdtemp(join(temporaryDirectory, 'carillon-compiled-'));
// A watched program must be loaded from its sources, which change.
const bundles = isQuick || isWatching ? undefined : join(compileCache, 'bundles');
if (bundles !== undefined) await bundlePrograms(bundles);

const passes: PassResult[] = [];
for (const { name, concurrency } of passKinds)
  passes.push(
    await runPass(
      files.filter((file) => passOf(file) === name),
      concurrency,
    ),
  );
const passed = passes.reduce((sum, result) => sum + result.passed, 0);
const failedAtFirst = passes.reduce((sum, result) => sum + result.failed, 0);
const failed = failedAtFirst > 0 ? await countRepeatedFailures() : 0;
// An interrupted process may still write to the cache.
await rm(compileCache, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
if (isWholeRun) printSlowestFiles();
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

function passOf(file: string): (typeof passKinds)[number]['name'] {
  if (runsAlone.test(file)) return 'alone';
  return isFault.test(file) ? 'waiting' : 'ordinary';
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

function printSlowestFiles(): void {
  const slowest = passes.flatMap(({ durations }) => durations).sort((a, b) => b.seconds - a.seconds);
  console.log('\nseconds  file');
  for (const { file, seconds } of slowest.slice(0, SLOWEST_FILES))
    console.log(`${seconds.toFixed(0).padStart(7)}  ${file}`);
}

/** Runs the failed files of a whole run once more, and returns the number of failures that count. */
async function countRepeatedFailures(): Promise<number> {
  const failedFiles = passes.flatMap((result) => result.failedFiles);
  const isRepeated = isWholeRun && failedFiles.length > 0 && failedFiles.length <= REPEATED_FILES_MAX;
  if (!isRepeated || interrupted || passes.some((result) => result.failed > 0 && result.failedFiles.length === 0))
    return failedAtFirst;
  console.log(`\nThese files failed and are run again, alone:\n  ${failedFiles.join('\n  ')}\n`);
  const repeated = await runPass(failedFiles, 1);
  if (repeated.failed === 0 && repeated.passed > 0)
    console.log(`\nUNSTABLE: ${failedAtFirst} tests passed only in the second run: ${failedFiles.join(', ')}`);
  return repeated.passed > 0 ? repeated.failed : failedAtFirst;
}

async function runPass(passFiles: readonly string[], concurrency: number): Promise<PassResult> {
  if (passFiles.length === 0 || interrupted) return { passed: 0, failed: 0, failedFiles: [], durations: [] };
  const directory = await mkdtemp(join(temporaryDirectory, 'carillon-test-'));
  const resultsFile = join(directory, 'results.jsonl');
  const code = await runNode([
    '--test',
    `--test-timeout=${TEST_MINUTES_MAX * 60_000}`,
    `--test-concurrency=${concurrency}`,
    ...(isQuick ? [] : ['--test-global-setup=test/support/global-setup.ts']),
    // Replaces `--test-force-exit`, with which Node.js 24.21 loses the results of files that end quickly.
    '--import=./test/support/exit-after-tests.ts',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test-results.ts',
    `--test-reporter-destination=${resultsFile}`,
    ...flags,
    ...passFiles,
  ]);
  const text = existsSync(resultsFile) ? await readFile(resultsFile, 'utf8') : '';
  await rm(directory, { recursive: true });
  const lines = text.split('\n').filter((line) => line !== '');
  return toPassResult(
    lines.map((line) => JSON.parse(line)),
    code,
    passFiles,
  );
}

/** Runs Node.js with the same input and output, forwards signals, and returns the exit code. */
async function runNode(nodeArgs: readonly string[]): Promise<number | null> {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    TMPDIR: temporaryDirectory,
    ...(bundles !== undefined && { TEST_BUNDLES: bundles }),
  };
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

function toPassResult(
  lines: readonly (TestResult | { readonly name: string })[],
  code: number | null,
  passFiles: readonly string[],
): PassResult {
  const results = lines.filter((line) => 'counts' in line);
  const names = new Set(lines.map((line) => ('name' in line ? line.name : undefined)));
  const total = results.find(({ file }) => file === undefined)?.counts ?? { tests: 0, passed: 0, skipped: 0, todo: 0 };
  const successes = new Set(results.map(({ file, success }) => (success && file ? relative(root, file) : undefined)));
  const empty = passFiles.filter((file) => names.has(file));
  // With a name pattern, files without a test are expected.
  const faulty = flags.length === 0 ? empty : [];
  for (const file of faulty) console.error(`${file} has no test.`);
  // A failed hook or an incomplete run is visible only in the exit code.
  const failures = total.tests - total.passed - total.skipped - total.todo + faulty.length;
  return {
    passed: Math.max(total.passed - empty.length, 0),
    failed: code === 0 ? failures : Math.max(failures, 1),
    failedFiles: passFiles.filter((file) => !successes.has(file)),
    durations: results.flatMap(({ file, seconds }) => (file ? [{ file: relative(root, file), seconds }] : [])),
  };
}
