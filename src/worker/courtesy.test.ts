import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Courtesy } from './courtesy.ts';

/** Rounds that last until they are ended, and how many there are. */
function rounds(courtesy: Courtesy, lane: 'bulk' | 'prompt', count: number) {
  const running: (() => void)[] = [];
  const all = Array.from({ length: count }, () =>
    courtesy.round(lane, () => new Promise<void>((end) => running.push(end))),
  );
  return { running, all };
}
const settle = () => new Promise((done) => setImmediate(done));

describe('bulk work', () => {
  test('takes what there is while nothing else goes on', async () => {
    const { running } = rounds(new Courtesy(), 'bulk', 40);
    await settle();
    assert.equal(running.length, 16);
  });

  test('leaves room beside prompt work, which never waits', async () => {
    const courtesy = new Courtesy();
    courtesy.notePrompt();
    const bulk = rounds(courtesy, 'bulk', 10);
    const prompt = rounds(courtesy, 'prompt', 10);
    await settle();
    assert.deepEqual([bulk.running.length, prompt.running.length], [2, 10]);
  });

  test('goes on, round after round, until all is done', async () => {
    const courtesy = new Courtesy();
    courtesy.notePrompt();
    const { running, all } = rounds(courtesy, 'bulk', 10);
    for (let i = 0; i < 10; i++) {
      await settle();
      assert.ok(running.length <= 2);
      running.shift()?.();
    }
    await Promise.all(all);
  });

  test('does not wait for a vendor that is slow', async () => {
    const courtesy = new Courtesy();
    courtesy.notePrompt();
    rounds(courtesy, 'bulk', 2); // they never end
    assert.equal(await courtesy.round('bulk', async () => 'done'), 'done');
  });

  test('goes on when a round fails', async () => {
    const courtesy = new Courtesy();
    courtesy.notePrompt();
    const fails = () => courtesy.round('bulk', () => Promise.reject(new Error('no')));
    const results = await Promise.allSettled(Array.from({ length: 5 }, fails));
    assert.ok(results.every(({ status }) => status === 'rejected'));
    assert.equal(await courtesy.round('bulk', async () => 'done'), 'done');
  });
});
