import { after } from 'node:test';

/**
 * Something a failed test left open must not keep its file running until the whole run is given up. Long enough for what a
 * file ends after its last test, on a machine that has much to do: processes that it has not ended would stay.
 */
const EXIT_MS = 30_000;

after(() => {
  setTimeout(() => {
    console.error('Something is still open after the last test; ended.');
    process.exit();
  }, EXIT_MS).unref();
});
