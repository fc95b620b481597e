import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { settleAll } from './settle-all.ts';

describe('settleAll', () => {
  test('returns the values in the order of the promises', async () => {
    const late = setImmediate('a');
    assert.deepEqual(await settleAll([late, Promise.resolve('b')]), ['a', 'b']);
  });

  test('throws the first failure, but only after the others have ended', async () => {
    let hasEnded = false;
    const late = setImmediate().then(() => {
      hasEnded = true;
    });
    await assert.rejects(
      settleAll([Promise.reject(new Error('first')), late, Promise.reject(new Error('second'))]),
      /first/,
    );
    assert.ok(hasEnded);
  });
});
