import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Maximum time for the commands of a page. They usually finish within seconds. */
const RUN_MS_MAX = 180_000;
/** Separates the outputs of two blocks. No command prints it. */
const BETWEEN = '\x1e';

/**
 * Runs blocks one after the other in one Bash process at the root of the checkout, like a reader in one terminal.
 * Returns the output of each block, including errors. A failing command stops the script and fails the test. Processes
 * that are still running are terminated.
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
    detached: true, // a separate process group, which can be terminated as a whole
  });
  const shown = text(bash.stdout);
  const [code] = (await once(bash, 'exit')) as [number | null];
  endGroup(bash.pid as number);
  const outputs = (await shown).split(BETWEEN);
  const last = outputs.pop();
  assert.equal(code, 0, `${blocks[outputs.length]}\nexited with code ${code}\n${last}`);
  return outputs;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
