import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files and folders that a test needs to run in another directory. */
const COPIED = ['package.json', 'tsconfig.json', 'src', 'test', 'scripts', 'simulators', 'migrations', 'bench'];
const RUN_SECONDS_MAX = 240;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A source line that implements a rule of the ledger, the same line without the rule, and the test that must then fail.
 */
interface Control {
  readonly rule: string;
  readonly file: string;
  readonly line: string;
  readonly instead: string;
  readonly test: { readonly file: string; readonly name: string };
  /** Matches the failure message that the missing rule causes. */
  readonly because: RegExp;
}

const controls: readonly Control[] = [
  {
    rule: 'a write checks the epoch of its claim',
    file: 'src/storage/ledger/slices.ts',
    line: '        where s.epoch = w.epoch and s.task_id between $10 and $11',
    instead: '        where s.task_id between $10 and $11',
    test: {
      file: 'test/simulation/sql-matches-domain.test.ts',
      name: 'have the same results after each of 600 random steps',
    },
    because: /\+ \{[^}]*sliceNumber: \d+[^}]*\}\s*- undefined/,
  },
  {
    rule: 'a counter is the number of bits, not of attempts',
    file: 'src/storage/ledger/statistics.ts',
    line: '    `select s.task_id as "taskId", s.channel, sum(s.n)::bigint as target, sum(bit_count(s.sent))::bigint as sent,',
    instead:
      '    `select s.task_id as "taskId", s.channel, sum(s.n)::bigint as target, sum(bit_count(s.sent) * s.attempts)::bigint as sent,',
    test: {
      file: 'test/flows/delivery/exact-counts.test.ts',
      name: 'a notification that Apple accepted without a clear response is sent again and counted once',
    },
    because: /2 are counted as sent to one phone/,
  },
  {
    rule: 'a response follows its commit',
    file: 'src/api/notify/accept.ts',
    line: '    return await acceptTasks(db, tasks);',
    instead: `    return await new Promise((answer, refuse) => import('#src/storage/database/database.ts').then(({ inTransaction }) => inTransaction(db, async (tx) => answer(await acceptTasks(tx, tasks)))).catch(refuse));`,
    test: {
      file: 'test/faults/commit.test.ts',
      name: 'returns no task id before PostgreSQL has committed the task',
    },
    because: /[1-9]\d* calls returned before their commit/,
  },
  {
    rule: 'marks of one slice are merged',
    file: 'src/receipts/receipts.ts',
    line: '    let marks = this.#pending.get(entryKey);',
    instead: '    let marks = undefined as SliceMarks | undefined;',
    test: {
      file: 'test/flows/delivery/exact-counts.test.ts',
      name: '30 phones that acknowledge at the same moment are counted as 30 receipts',
    },
    because: /\d+ of 30 receipts are counted/,
  },
];

/** Proves that these tests can fail: each fails if the line that it covers is wrong. */
describe('a copy of the service with one changed line', () => {
  let copy: string;

  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'carillon-control-'));
    for (const name of COPIED) await cp(join(root, name), join(copy, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rm(copy, { recursive: true, force: true }));

  test('passes without a change', async () => {
    const { passed, failed, report } = await runTests(copy, controls);
    assert.deepEqual([passed, failed], [controls.length, 0], report);
  });

  for (const control of controls)
    test(`fails without the rule that ${control.rule}`, async () => {
      const path = join(copy, control.file);
      const source = await readFile(path, 'utf8');
      const lines = source.split('\n');
      assert.equal(
        lines.filter((line) => line === control.line).length,
        1,
        `the line must occur exactly once: ${control.line}`,
      );
      await writeFile(path, lines.map((line) => (line === control.line ? control.instead : line)).join('\n'));
      try {
        const { passed, failed, report } = await runTests(copy, [control]);
        assert.deepEqual([passed, failed], [0, 1], report);
        assert.match(report, control.because);
      } finally {
        await writeFile(path, source);
      }
    });
});

/** Runs only the tests of the given controls in a copy, one file after the other. */
function runTests(
  directory: string,
  some: readonly Control[],
): Promise<{ passed: number; failed: number; report: string }> {
  const names = some.map(({ test: { name } }) => name);
  const args = [
    '--test',
    '--test-concurrency=1',
    '--test-reporter=tap',
    '--import=./test/support/exit-after-tests.ts',
    `--test-name-pattern=^(${names.join('|')})$`,
    ...new Set(some.map(({ test: { file } }) => file)),
  ];
  // A test runner that inherits this variable reports to the outer runner.
  // The bundles contain the unchanged service.
  const { NODE_TEST_CONTEXT: _context, TEST_BUNDLES: _bundles, ...env } = process.env;
  const options = { cwd: directory, env, timeout: RUN_SECONDS_MAX * 1_000, maxBuffer: OUTPUT_BYTES_MAX };
  const countOf = (what: string, report: string) =>
    Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(report)?.[1] ?? -1);
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      const report = `${stdout}\n${stderr}`;
      resolve({ passed: countOf('pass', report), failed: countOf('fail', report), report });
    });
  });
}
