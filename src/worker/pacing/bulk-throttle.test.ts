import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Courtesy } from './bulk-throttle.ts';

/** Rounds that last until they are ended, and how many there are. */
function rounds(courtesy: Courtesy, lane: 'bulk' | 'prompt', count: number) {
  const running: (() => void)[] = [];
  const all = Array.from({ length: count }, () =>
    courtesy.round(lane, () => new Promise<void>((end) => running.push(end))),
  );
  return { running, all };
}
const settle = () => new Promise((done) => setImmediate(done));

/** Prompt work that lasts until it is ended. */
function promptWork(courtesy: Courtesy): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = courtesy.prompt(() => promise);
  return () => {
    resolve();
    return work;
  };
}

describe('bulk work', () => {
  test('takes what there is while nothing else goes on', async () => {
    const { running } = rounds(new Courtesy(), 'bulk', 40);
    await settle();
    assert.equal(running.length, 8);
  });

  test('begins nothing beside prompt work, which never waits, and has the gaps', async () => {
    const courtesy = new Courtesy();
    const endPrompt = promptWork(courtesy);
    const bulk = rounds(courtesy, 'bulk', 10);
    const prompt = rounds(courtesy, 'prompt', 10);
    await settle();
    assert.deepEqual([bulk.running.length, prompt.running.length], [0, 10]);
    await endPrompt();
    await settle();
    assert.equal(bulk.running.length, 3);
  });

  test('goes on, round after round, beside prompt work that never ends', { timeout: 10_000 }, async () => {
    const courtesy = new Courtesy();
    promptWork(courtesy);
    let running = 0;
    const one = () =>
      courtesy.round('bulk', async () => {
        assert.equal(++running, 1, 'one at a time');
        await settle();
        running--;
      });
    await Promise.all(Array.from({ length: 10 }, one));
  });

  test('does not wait for a vendor that is slow', { timeout: 10_000 }, async () => {
    const courtesy = new Courtesy();
    rounds(courtesy, 'bulk', 8); // they never end
    assert.equal(await courtesy.round('bulk', async () => 'done'), 'done');
  });

  test('goes on when a round fails, and when prompt work does', async () => {
    const courtesy = new Courtesy();
    await assert.rejects(courtesy.prompt(() => Promise.reject(new Error('no'))));
    const fails = () => courtesy.round('bulk', () => Promise.reject(new Error('no')));
    const results = await Promise.allSettled(Array.from({ length: 20 }, fails));
    assert.ok(results.every(({ status }) => status === 'rejected'));
    const { running } = rounds(courtesy, 'bulk', 10);
    await settle();
    assert.equal(running.length, 3);
  });
});
