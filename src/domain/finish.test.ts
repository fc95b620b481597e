import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinished } from './finish.ts';

test('a task is finished when all expansions are done and no slice is open in any database', () => {
  assert.ok(isFinished(1, [{ expansionsDone: 1, hasOpenSlice: false }]));
  assert.ok(
    isFinished(64, [
      { expansionsDone: 30, hasOpenSlice: false },
      { expansionsDone: 34, hasOpenSlice: false },
    ]),
  );
  assert.ok(
    !isFinished(64, [
      { expansionsDone: 30, hasOpenSlice: false },
      { expansionsDone: 34, hasOpenSlice: true },
    ]),
  );
  assert.ok(!isFinished(64, [{ expansionsDone: 63, hasOpenSlice: false }]));
  assert.ok(!isFinished(1, []));
});
