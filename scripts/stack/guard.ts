import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../stack.ts', import.meta.url));

/**
 * Stops the stack when this process ends for any reason, because a test runner that is killed cannot clean up. A shell
 * waits on a pipe from this process, which the kernel closes when the process ends. Returns a function that dismisses
 * the guard.
 */
export function stopOnExit(directory: string): () => void {
  const waitThenStop = 'read -r _; [ -d "$4" ] && exec "$0" "$@"';
  const args = ['-c', waitThenStop, process.execPath, command, 'down', '--directory', directory];
  const shell = spawn('/bin/sh', args, { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return () => shell.kill('SIGKILL');
}
