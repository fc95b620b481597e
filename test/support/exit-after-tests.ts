import { after } from 'node:test';

/**
 * Time after the last test at which the process exits, even if a failed test left a resource open. The time is long
 * enough for the cleanup of a test file on a busy machine. Child processes that still run at that time are not stopped.
 */
const EXIT_MS = 30_000;

after(() => {
  setTimeout(() => {
    console.error('Resources are still open after the last test. The process exits now.');
    process.exit();
  }, EXIT_MS).unref();
});
