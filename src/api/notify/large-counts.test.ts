import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LargeCounts } from './large-counts.ts';

describe('LargeCounts', () => {
  test('runs two counts at a time, and rejects a count if too many of the app wait', async () => {
    const counts = new LargeCounts<number>();
    const end = Promise.withResolvers<void>();
    let running = 0;
    const run = (appId: string) =>
      counts.run(appId, async () => {
        running++;
        await end.promise;
        return 1;
      });
    const accepted = Array.from({ length: 6 }, () => run('a'));
    await assert.rejects(run('a'), { problem: 'too-many-requests', retryAfterSeconds: 1 });
    accepted.push(run('b'));
    assert.equal(running, 2);
    end.resolve();
    assert.deepEqual(await Promise.all(accepted), [1, 1, 1, 1, 1, 1, 1]);
  });

  test('shares a pending count, but not a result or an error', async () => {
    const counts = new LargeCounts<number>();
    let started = 0;
    const end = Promise.withResolvers<void>();
    const count = async () => {
      const number = ++started;
      await end.promise;
      if (number === 1) throw new Error('failed');
      return number;
    };
    const shared = [counts.share('a', 'all', count), counts.share('a', 'all', count)];
    const other = counts.share('a', 'tag', count);
    end.resolve();
    for (const result of shared) await assert.rejects(result, /failed/);
    assert.equal(await other, 2);
    assert.equal(await counts.share('a', 'all', count), 3);
  });
});
