import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Demo } from '../../../scripts/dev/show-demo.ts';
import { eventually } from '../../support/eventually.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const program = join(root, 'scripts/dev.ts');
const run = promisify(execFile);

/** The roles, the simulators, PostgreSQL, NATS and the process that stops both when their parent is killed. */
const KINDS = ['api.ts', 'gateway.ts', 'worker.ts', 'simulators/main.ts', 'postgres', 'nats-server', '/bin/sh'];

describe('npm run dev', { timeout: 300_000 }, () => {
  const children: ChildProcess[] = [];
  let directory: string;
  let first: { demo: Demo; devices: readonly string[] };
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'carillon-dev-'));
    await chmod(directory, 0o711);
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL'); // after a failed test
    await noneIsLeft(directory);
    await rm(directory, { recursive: true, force: true });
  });

  const flags = () => ['--json', '--directory', directory];
  const environment = () => ({ ...process.env, DEMO: directory });
  const start = async (command: string, args: readonly string[]) => {
    const child = spawn(command, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const demo = await readDemo(child);
    return { child, demo, devices: await devicesOf(demo) };
  };

  test('leaves no process if it is killed', async () => {
    const { child, demo, devices } = await start(process.execPath, [program, ...flags()]);
    first = { demo, devices };
    const running = processesOf(directory);
    for (const kind of KINDS)
      assert.ok(
        running.some((line) => line.includes(kind)),
        `${kind}: ${running.join('\n')}`,
      );
    child.kill('SIGKILL');
    await noneIsLeft(directory);
  });

  test('has the same ports, token and devices at the next start, and stops when its terminal is closed', async () => {
    const command = `stty -onlcr; exec npm run --silent dev -- ${flags().join(' ')}`;
    const { child, demo, devices } = await start('script', ['--quiet', '--command', command, '/dev/null']);
    assert.deepEqual({ demo, devices }, first);
    assert.equal(devices.length, 10);
    const second = run(process.execPath, [program, ...flags()], { env: environment() });
    await assert.rejects(second, /is already running as process \d+\. Stop it with Ctrl-C, or add --temporary/);

    child.kill('SIGKILL'); // `script` owns the terminal, which disappears with it
    await noneIsLeft(directory);
  });

  test('starts over with --fresh, and leaves no process if npm is killed', async () => {
    const { child, demo } = await start('npm', ['run', '--silent', 'dev', '--', ...flags(), '--fresh']);
    assert.notEqual(demo.admin_token, first.demo.admin_token);
    child.kill('SIGKILL');
    await noneIsLeft(directory);
  });

  test('prints its options with --help, and after a wrong option', async () => {
    const { stdout } = await run(process.execPath, [program, '--help']);
    assert.match(stdout, /^Usage: npm run dev[\s\S]+ --fresh /);
    await assert.rejects(
      run(process.execPath, [program, '--frsh']),
      /Unknown option '--frsh'[\s\S]+Usage: npm run dev/,
    );
  });
});

test('a killed bench leaves no process', { timeout: 120_000 }, async () => {
  // The directory of the stack is below the system's temporary directory, which identifies its processes.
  const directory = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  await chmod(directory, 0o711);
  const bench = spawn(process.execPath, ['bench/bench.ts', 'vendors'], {
    cwd: root,
    env: { ...process.env, DEMO: directory, TMPDIR: directory, TEST_BUNDLES: '' }, // loads the sources, as an operator does
    stdio: 'ignore',
  });
  await eventually(() => {
    const running = processesOf(directory);
    for (const kind of ['worker.ts', 'simulators/main.ts', 'postgres', 'nats-server'])
      assert.ok(
        running.some((line) => line.includes(kind)),
        kind,
      );
  }, 60);
  bench.kill('SIGKILL');
  await noneIsLeft(directory);
  await rm(directory, { recursive: true });
});

async function readDemo(child: ChildProcess): Promise<Demo> {
  assert.ok(child.stdout);
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{"base_url"')) return JSON.parse(line) as Demo;
  }
  assert.fail('The demo did not start.');
}

/** Returns the push tokens of the user with one phone per vendor. */
async function devicesOf({ base_url, app_id, admin_token, users }: Demo): Promise<readonly string[]> {
  const headers = { app_id, 'access-token': admin_token, user_id: String(users[1]?.user_id) };
  const response = await fetch(`${base_url}/device/list`, { method: 'POST', headers });
  const { data } = (await response.json()) as { data: { push_token: string }[] };
  return data.map(({ push_token }) => push_token).sort();
}

/**
 * Returns the command lines of all processes that a demo or bench with this directory has started. The roles have the
 * directory in their environment. It is the working directory of PostgreSQL's processes.
 */
function processesOf(directory: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => [read(pid, 'environ'), read(pid, 'cmdline'), cwdOf(pid)].some((text) => text.includes(directory)))
    .map((pid) => read(pid, 'cmdline').replaceAll('\0', ' '))
    .filter((line) => line !== '');
}

async function noneIsLeft(directory: string): Promise<void> {
  await eventually(() => assert.deepEqual(processesOf(directory), []), 20);
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function read(pid: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // The process has ended.
  }
}
