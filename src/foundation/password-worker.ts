import { argon2Sync } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';

/** The lowest there is: whatever else the machine has to do goes first. */
const LOWEST_PRIORITY = 19;

lowerPriority();
parentPort?.on('message', (options: Parameters<typeof argon2Sync>[1]) => {
  parentPort?.postMessage(argon2Sync('argon2id', options));
});

/** Linux has priorities per thread, and this names ours. Elsewhere hashing competes with the rest, within its slots. */
function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), LOWEST_PRIORITY);
  } catch {
    // No /proc, or not allowed.
  }
}
