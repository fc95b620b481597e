import { after } from 'node:test';

/**
 * A resource that a failed test left open must not keep its file running until the whole run is aborted. The time is
 * long enough for the cleanup of a file on a busy machine, because processes that are not ended by then would remain.
 */
const EXIT_MS = 30_000;

after(() => {
  setTimeout(() => {
    console.error('Resources are still open after the last test. The process ends.');
    process.exit();
  }, EXIT_MS).unref();
});
