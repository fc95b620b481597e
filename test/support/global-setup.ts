import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startStack } from '../../scripts/stack/stack.ts';
import { createTemplates } from './databases.ts';

const STOP_SECONDS_MAX = 30;

/**
 * Starts one stack for the whole run, for `node --test --test-global-setup`. An environment variable passes the stack
 * to the test files.
 */
export async function globalSetup(): Promise<void> {
  const stack = await startStack();
  await createTemplates(stack);
  process.env.CARILLON_TEST_STACK = stack.directory;
}

/**
 * Synchronous, because with --test-force-exit the runner calls this function twice and does not wait for it (Node.js
 * 24.21).
 */
export function globalTeardown(): void {
  const directory = process.env.CARILLON_TEST_STACK;
  if (!directory) return;
  delete process.env.CARILLON_TEST_STACK;
  const command = fileURLToPath(new URL('../../scripts/stack.ts', import.meta.url));
  spawnSync(process.execPath, [command, 'down', '--directory', directory], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: STOP_SECONDS_MAX * 1000,
  });
}
