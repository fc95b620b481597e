import { argon2Sync } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';

/** The lowest priority, so that hashing does not delay other work on the machine. */
const LOWEST_PRIORITY = 19;

lowerPriority();
parentPort?.on('message', (options: Parameters<typeof argon2Sync>[1]) => {
  parentPort?.postMessage(argon2Sync('argon2id', options));
});

/**
 * Lowers the priority of this thread. Only Linux has priorities per thread. On other systems, hashing competes with
 * other work, but the number of threads is limited.
 */
function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), LOWEST_PRIORITY);
  } catch {
    // No /proc, or no permission.
  }
}
