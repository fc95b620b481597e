import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinished } from './finish.ts';

test('a task is finished when all expansions are done and no slice is open, over all databases', () => {
  assert.ok(isFinished(1, [{ done: 1, open: false }]));
  assert.ok(
    isFinished(64, [
      { done: 30, open: false },
      { done: 34, open: false },
    ]),
  );
  assert.ok(
    !isFinished(64, [
      { done: 30, open: false },
      { done: 34, open: true },
    ]),
  );
  assert.ok(!isFinished(64, [{ done: 63, open: false }]));
  assert.ok(!isFinished(1, []));
});
