import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CountSlots } from './count-slots.ts';

describe('CountSlots', () => {
  /** Starts counts that end when the test ends them. */
  function createCounts() {
    const slots = new CountSlots();
    const started: string[] = [];
    const start = (appId: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const done = slots.run(appId, () => {
        started.push(appId);
        return promise;
      });
      return { end: resolve, fail: reject, done };
    };
    return { slots, started, start };
  }

  test('runs one count of an app, and two in total', async () => {
    const { started, start } = createCounts();
    const [a, , b] = [start('a'), start('a'), start('b'), start('c')];
    assert.deepEqual(started, ['a', 'b']);
    a.end();
    await a.done;
    assert.deepEqual(started, ['a', 'b', 'a']);
    b.end();
    await b.done;
    assert.deepEqual(started, ['a', 'b', 'a', 'c']);
  });

  test('continues after a count that has failed', async () => {
    const { started, start } = createCounts();
    const [first, second] = [start('a'), start('a')];
    first.fail(new Error('failed'));
    await assert.rejects(first.done, /failed/);
    second.end();
    await second.done;
    assert.deepEqual(started, ['a', 'a']);
  });

  test('rejects a count if too many counts of the app wait', async () => {
    const { start, started } = createCounts();
    const counts = Array.from({ length: 5 }, () => start('a'));
    await assert.rejects(start('a').done, { problem: 'too-many-requests' });
    const other = start('b');
    for (const count of [...counts, other]) count.end();
    await Promise.all([...counts, other].map(({ done }) => done));
    assert.equal(started.length, 6);
  });
});
