import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BulkThrottle } from './bulk-throttle.ts';

/** Starts rounds that run until they are ended, and returns the running rounds. */
function startRounds(bulkThrottle: BulkThrottle, lane: 'bulk' | 'prompt', count: number) {
  const running: (() => void)[] = [];
  const all = Array.from({ length: count }, () =>
    bulkThrottle.runRound(lane, () => new Promise<void>((end) => running.push(end))),
  );
  return { running, all };
}
const nextTick = () => new Promise((done) => setImmediate(done));

/** Starts prompt work that runs until the returned function is called. */
function startPromptWork(bulkThrottle: BulkThrottle): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = bulkThrottle.runPrompt(() => promise);
  return () => {
    resolve();
    return work;
  };
}

describe('bulk work', () => {
  test('uses the full capacity while there is no other work', async () => {
    const { running } = startRounds(new BulkThrottle(), 'bulk', 40);
    await nextTick();
    assert.equal(running.length, 8);
  });

  test('waits until prompt work ends, while prompt rounds start immediately', async () => {
    const bulkThrottle = new BulkThrottle();
    assert.equal(bulkThrottle.isHeldBack, false);
    const endPrompt = startPromptWork(bulkThrottle);
    assert.equal(bulkThrottle.isHeldBack, true);
    const bulk = startRounds(bulkThrottle, 'bulk', 10);
    const prompt = startRounds(bulkThrottle, 'prompt', 10);
    await nextTick();
    assert.deepEqual([bulk.running.length, prompt.running.length], [0, 10]);
    await endPrompt();
    await nextTick();
    assert.equal(bulk.running.length, 3);
  });

  test('makes progress during prompt work that never ends', { timeout: 10_000 }, async () => {
    const bulkThrottle = new BulkThrottle();
    startPromptWork(bulkThrottle);
    let running = 0;
    const runOne = () =>
      bulkThrottle.runRound('bulk', async () => {
        assert.equal(++running, 1, 'one round at a time');
        await nextTick();
        running--;
      });
    await Promise.all(Array.from({ length: 10 }, runOne));
  });

  test('does not wait for a slow vendor', { timeout: 10_000 }, async () => {
    const bulkThrottle = new BulkThrottle();
    startRounds(bulkThrottle, 'bulk', 8); // these rounds never end
    assert.equal(await bulkThrottle.runRound('bulk', async () => 'done'), 'done');
  });

  test('continues when a round or prompt work fails', async () => {
    const bulkThrottle = new BulkThrottle();
    await assert.rejects(bulkThrottle.runPrompt(() => Promise.reject(new Error('no'))));
    const failingRound = () => bulkThrottle.runRound('bulk', () => Promise.reject(new Error('no')));
    const results = await Promise.allSettled(Array.from({ length: 20 }, failingRound));
    assert.ok(results.every(({ status }) => status === 'rejected'));
    const { running } = startRounds(bulkThrottle, 'bulk', 10);
    await nextTick();
    assert.equal(running.length, 3);
  });
});
