import { after } from 'node:test';

/** Something a failed test left open must not keep its file running until the whole run is given up. */
const EXIT_MS = 10_000;

after(() => {
  setTimeout(() => {
    console.error('Something is still open after the last test; ended.');
    process.exit();
  }, EXIT_MS).unref();
});
