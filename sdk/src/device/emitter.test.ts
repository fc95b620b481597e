import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from './emitter.ts';

test('calls listeners until they are removed, even if one of them throws', (t) => {
  // The test runner would report an error thrown in a timer as a failure of the test.
  const thrown: (() => void)[] = [];
  t.mock.method(globalThis, 'setTimeout', (throws: () => void) => thrown.push(throws));
  const emitter = new Emitter<{ word: string }>();
  const received: string[] = [];
  assert.equal(emitter.emit('word', 'without a listener'), false);
  emitter.on('word', () => {
    throw new Error("the page's own failure");
  });
  const stop = emitter.on('word', (word) => received.push(word));
  assert.equal(emitter.emit('word', 'one'), true);
  stop();
  emitter.emit('word', 'two');
  assert.deepEqual(received, ['one']);
  assert.equal(thrown.length, 2);
  for (const throws of thrown) assert.throws(throws, /the page's own failure/);
});
