import { isMainThread } from 'node:worker_threads';

// Loaded before the program of a child process by `childArguments`. The standard input of the child is a pipe from its
// parent. The kernel closes the pipe when the parent ends for any reason, also when the parent is killed.

/** Maximum time to stop cleanly. PostgreSQL and NATS of the same parent stop at the same time, so a role may hang. */
const STOP_MS_MAX = 5_000;

// Node also loads this file in each worker thread, where the standard input is not the pipe.
if (isMainThread) {
  process.stdin.once('end', end).once('error', end).resume();
  process.stdin.unref(); // does not keep a process running that has stopped
}

function end(): void {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_MS_MAX).unref();
}
