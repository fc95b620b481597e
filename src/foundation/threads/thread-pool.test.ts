import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ThreadPool, ThreadTimeout } from './thread-pool.ts';

/** A thread that answers with twice the number. It never answers 0, and fails for negative numbers. */
const program = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (number) => {
      if (number < 0) throw new Error('negative');
      if (number === 0) for (;;);
      parentPort.postMessage(2 * number);
    });
  `)}`,
);

describe('a thread pool', () => {
  test('returns the answer of each call', async () => {
    const pool = new ThreadPool<number, number>({ program, threads: 2, queueMax: 10 });
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map((number) => pool.run(number))), [2, 4, 6, 8]);
  });

  test('ends a thread that takes too long, and continues with another one', async () => {
    const pool = new ThreadPool<number, number>({ program, threads: 1, queueMax: 10, secondsMax: 1 });
    assert.equal(await pool.run(1), 2);
    const [stuck, next] = [pool.run(0), pool.run(5)];
    await assert.rejects(stuck, ThreadTimeout);
    assert.equal(await next, 10);
  });

  test('rejects a call whose thread fails, and continues with another one', async () => {
    const pool = new ThreadPool<number, number>({ program, threads: 1, queueMax: 10 });
    await assert.rejects(pool.run(-1), /negative/);
    assert.equal(await pool.run(3), 6);
  });
});
