import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Whatever a page tells a reader to do is done by then, in seconds as a rule. */
const RUN_MS_MAX = 180_000;
/** Stands between what two blocks print. Nobody prints it. */
const BETWEEN = '\x1e';

/**
 * Runs blocks one after the other in one bash at the root of the checkout, as a reader would in one terminal, and answers what
 * each of them showed there, complaints included. A command that fails ends it, and fails the test. What was left running is
 * ended.
 */
export async function runCommands(
  blocks: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const script = `exec 2>&1\n${blocks.map((block) => `${block}\nprintf '\\036'\n`).join('')}`;
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_MS_MAX,
    detached: true, // a group of its own, which can be ended whole
  });
  const shown = text(bash.stdout);
  const [code] = (await once(bash, 'exit')) as [number | null];
  endGroup(bash.pid as number);
  const outputs = (await shown).split(BETWEEN);
  const last = outputs.pop();
  assert.equal(code, 0, `${blocks[outputs.length]}\nended with ${code}\n${last}`);
  return outputs;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
