import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { QueueFull, Semaphore } from './semaphore.ts';

/** Returns functions to start work in the semaphore, and to end it from the test. */
function manualWorks(semaphore: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  /** The first letter of the name is the group. */
  const run = (name: string) => {
    ends.set(name, Promise.withResolvers());
    return semaphore.run(
      () => {
        begun.push(name);
        return (ends.get(name) as PromiseWithResolvers<string>).promise;
      },
      name.length > 1 ? name[0] : '',
    );
  };
  return {
    begun,
    run,
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string, error: Error) => ends.get(name)?.reject(error),
  };
}

describe('a semaphore with groups', () => {
  test('lets the groups of waiting calls take turns', async () => {
    const { begun, run, end } = manualWorks(new Semaphore({ slots: 1, queueMax: 10 }));
    const names = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'];
    const results = names.map(run);
    for (let i = 0; i < names.length; i++) {
      end(begun[i] as string);
      await results[names.indexOf(begun[i] as string)];
    }
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  test('rejects a call of a group with too many waiting calls, and accepts those of others', async () => {
    const { run, end } = manualWorks(new Semaphore({ slots: 1, queueMax: 3, groupQueueMax: 2 }));
    const results = ['a1', 'a2', 'a3'].map(run);
    await assert.rejects(run('a4'), QueueFull);
    results.push(run('b1'));
    await assert.rejects(run('c1'), QueueFull);
    for (const name of ['a1', 'a2', 'a3', 'b1']) end(name);
    assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'a3', 'b1']);
  });
});

describe('a semaphore', () => {
  test('runs as many calls as it has slots, and queues the others in order of arrival', async () => {
    const { begun, run, end } = manualWorks(new Semaphore({ slots: 2, queueMax: 10 }));
    const results = ['a', 'b', 'c', 'd', 'e'].map(run);
    assert.deepEqual(begun, ['a', 'b']);
    end('b');
    await results[1];
    assert.deepEqual(begun, ['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd', 'e']) end(name);
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'e']);
  });

  test('frees the slot of a failed call and passes the error to its caller', async () => {
    const { begun, run, end, fail } = manualWorks(new Semaphore({ slots: 1, queueMax: 10 }));
    const [first, second] = [run('a'), run('b')];
    fail('a', new Error('broken'));
    await assert.rejects(first, /broken/);
    end('b');
    assert.equal(await second, 'b');
    const third = run('c');
    assert.deepEqual(begun, ['a', 'b', 'c'], 'the slot is free again');
    end('c');
    await third;
  });

  test('rejects immediately if the queue is full, without running the work', async () => {
    const { begun, run, end } = manualWorks(new Semaphore({ slots: 1, queueMax: 1 }));
    const taken = [run('a'), run('b')];
    await assert.rejects(run('c'), QueueFull);
    end('a');
    end('b');
    await Promise.all(taken);
    assert.deepEqual(begun, ['a', 'b']);
  });

  test('without a queue, rejects calls above the number of slots', async () => {
    const { run, end } = manualWorks(new Semaphore({ slots: 1, queueMax: 0 }));
    const first = run('a');
    await assert.rejects(run('b'), QueueFull);
    end('a');
    await first;
    const again = run('c');
    end('c');
    assert.equal(await again, 'c');
  });
});
