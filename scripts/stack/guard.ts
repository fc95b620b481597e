import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProcesses } from './processes.ts';

/** Maximum time to wait for a guard that stops the servers of a killed process. A clean stop takes less than 10 s. */
const GUARD_SECONDS_MAX = 20;

const POLL_MILLISECONDS = 50;

const command = fileURLToPath(new URL('../stack.ts', import.meta.url));

/**
 * Stops the stack when this process ends for any reason, because a test runner that is killed cannot clean up. A shell
 * waits on a pipe from this process, which the kernel closes when the process ends. Returns a function that dismisses
 * the guard.
 */
export function stopOnExit(directory: string): () => void {
  const waitThenStop = 'read -r _; [ -d "$4" ] && exec "$0" "$@"';
  const args = ['-c', waitThenStop, process.execPath, command, ...guardArguments(directory)];
  const shell = spawn('/bin/sh', args, { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return () => shell.kill('SIGKILL');
}

/** Returns whether a guard waits for the end of a process that started a stack in this directory, or stops the stack. */
export function hasGuard(directory: string): boolean {
  return findProcesses([{ args: guardArguments(directory) }]).first.length > 0;
}

/** Waits until the guard of a process that has ended has stopped the stack in this directory. */
export async function waitForGuard(directory: string): Promise<void> {
  const deadline = Date.now() + GUARD_SECONDS_MAX * 1000;
  while (hasGuard(directory)) {
    if (Date.now() > deadline) throw new Error(`Another process uses ${directory}. Stop it, or use another directory.`);
    await sleep(POLL_MILLISECONDS);
  }
}

function guardArguments(directory: string): string[] {
  return ['down', '--directory', directory];
}
