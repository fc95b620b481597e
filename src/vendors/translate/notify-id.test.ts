import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notifyIdOf } from './notify-id.ts';

test('the notification number is derived from the task ID, within the range of Android', () => {
  const numbers: readonly (readonly [bigint, number])[] = [
    [0n, 1],
    [1n, 2],
    [2n ** 31n - 2n, 2 ** 31 - 1],
    [2n ** 31n - 1n, 1],
    [4_503_599_627_370_497n, 2_097_154],
    [2n ** 63n - 1n, 2],
  ];
  for (const [taskId, number] of numbers) assert.equal(notifyIdOf(taskId), number, `${taskId}`);
});
