import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinished } from './finish.ts';

test('a planned task is finished when no expansion and no slice is open in any database', () => {
  const done = { hasOpenExpansion: false, hasOpenSlice: false };
  assert.ok(isFinished([done]));
  assert.ok(isFinished([done, done]));
  assert.ok(!isFinished([done, { ...done, hasOpenSlice: true }]));
  assert.ok(!isFinished([done, { ...done, hasOpenExpansion: true }]));
  assert.ok(!isFinished([]), 'a task without expansions is not finished');
});
