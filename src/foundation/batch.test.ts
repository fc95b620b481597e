import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Batch, GroupQueueFull } from './batch.ts';
import { QueueFull } from './semaphore.ts';

/** One run of the batch. The test ends it with `end` or `fail`. */
interface Run {
  readonly items: readonly number[];
  readonly end: (results: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** Returns a batch whose runs are ended by the test. `next` waits for the next run to start. */
function manualBatch(
  limits: Partial<
    Pick<ConstructorParameters<typeof Batch<number, string>>[0], 'sizeMax' | 'queueMax' | 'groupOf' | 'groupQueueMax'>
  > = {},
) {
  const begun: Run[] = [];
  let wake = () => {};
  const batch = new Batch<number, string>({
    sizeMax: 100,
    queueMax: 100,
    ...limits,
    run: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      begun.push({ items, end: resolve, fail: reject });
      wake();
      return promise;
    },
  });
  const next = async (): Promise<Run> => {
    if (begun.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return begun.shift() as Run;
  };
  return { batch, next };
}

const answers = (items: readonly number[]) => items.map((item) => `answer ${item}`);

describe('a batch with groups', () => {
  /** Groups are the last digits. */
  const groups = { groupOf: (item: number) => `${item % 10}`, groupQueueMax: 4 };

  test('takes the same number of items from each group', async () => {
    const { batch, next } = manualBatch({ sizeMax: 4, ...groups });
    const results = [11, 21, 31, 41, 12, 13].map((item) => batch.add(item));
    const first = await next();
    assert.deepEqual(first.items, [11, 12, 13, 21]);
    first.end(answers(first.items));
    const second = await next();
    assert.deepEqual(second.items, [31, 41]);
    second.end(answers(second.items));
    assert.deepEqual(await Promise.all(results), answers([11, 21, 31, 41, 12, 13]));
  });

  test('begins with the groups that were left out', async () => {
    const { batch, next } = manualBatch({ sizeMax: 2, ...groups });
    for (const item of [11, 21, 12, 13, 14]) void batch.add(item);
    const runs: (readonly number[])[] = [];
    for (let i = 0; i < 3; i++) {
      const run = await next();
      runs.push(run.items);
      run.end(answers(run.items));
    }
    assert.deepEqual(runs, [[11, 12], [13, 14], [21]]);
  });

  test('rejects further items of a group with too many, and accepts those of other groups', async () => {
    const { batch, next } = manualBatch(groups);
    const results = [11, 21, 31, 41].map((item) => batch.add(item));
    await assert.rejects(batch.add(51), GroupQueueFull);
    results.push(batch.add(12));
    const run = await next();
    run.end(answers(run.items));
    await Promise.all(results);
  });
});

describe('a batch', () => {
  test('passes items that are added together to one run, and resolves each with its own result', async () => {
    const { batch, next } = manualBatch();
    const results = Promise.all([3, 1, 2].map((item) => batch.add(item)));
    const run = await next();
    assert.deepEqual(run.items, [3, 1, 2]);
    run.end(answers(run.items));
    assert.deepEqual(await results, ['answer 3', 'answer 1', 'answer 2']);
  });

  test('collects items during a run, and never has two runs at the same time', async () => {
    const { batch, next } = manualBatch();
    const first = batch.add(1);
    const run1 = await next();
    const others = [2, 3, 4].map((item) => batch.add(item));
    // A second run in parallel would start within one turn of the event loop.
    const second = next();
    const early = await Promise.race([second, new Promise((resume) => setImmediate(() => setImmediate(resume)))]);
    assert.equal(early, undefined);
    run1.end(answers(run1.items));
    assert.equal(await first, 'answer 1');
    const run2 = await second;
    assert.deepEqual(run2.items, [2, 3, 4]);
    run2.end(answers(run2.items));
    assert.deepEqual(await Promise.all(others), ['answer 2', 'answer 3', 'answer 4']);
  });

  test('splits collected items into runs of at most `sizeMax`, in order', async () => {
    const sizes: number[] = [];
    const batch = new Batch<number, number>({
      sizeMax: 4,
      queueMax: 100,
      run: async (items) => {
        sizes.push(items.length);
        return items.map((item) => item * 10);
      },
    });
    const items = Array.from({ length: 10 }, (_, i) => i);
    const results = await Promise.all(items.map((item) => batch.add(item)));
    assert.deepEqual(
      results,
      items.map((item) => item * 10),
    );
    assert.deepEqual(sizes, [4, 4, 2]);
  });

  test('fails only the items of a failed run, and continues with the next run', async () => {
    const { batch, next } = manualBatch({ sizeMax: 2 });
    const results = Promise.allSettled([1, 2, 3].map((item) => batch.add(item)));
    (await next()).fail(new Error('broken'));
    const run2 = await next();
    run2.end(answers(run2.items));
    const [one, two, three] = await results;
    for (const failed of [one, two]) assert.equal(failed?.status === 'rejected' && failed.reason.message, 'broken');
    assert.deepEqual(three, { status: 'fulfilled', value: 'answer 3' });
  });

  test('rejects an item if the queue is full, and accepts items again when there is room', async () => {
    const { batch, next } = manualBatch({ queueMax: 2 });
    const first = batch.add(1);
    const run1 = await next(); // items of the current run do not count as queued
    const waiting = [batch.add(2), batch.add(3)];
    await assert.rejects(batch.add(4), QueueFull);
    run1.end(answers(run1.items));
    const run2 = await next();
    const late = batch.add(5);
    run2.end(answers(run2.items));
    const run3 = await next();
    run3.end(answers(run3.items));
    assert.deepEqual(await Promise.all([first, ...waiting, late]), ['answer 1', 'answer 2', 'answer 3', 'answer 5']);
  });

  test('is idle immediately if nothing was added, otherwise after the last run', async () => {
    const { batch, next } = manualBatch();
    await batch.idle();
    const done: string[] = [];
    const added = batch.add(1).then(() => done.push('first'));
    const idle = batch.idle().then(() => done.push('idle'));
    const run1 = await next();
    const late = batch.add(2).then(() => done.push('second'));
    run1.end(answers(run1.items));
    const run2 = await next();
    run2.end(answers(run2.items));
    await Promise.all([added, late, idle]);
    assert.deepEqual(done, ['first', 'second', 'idle']);
  });
});
