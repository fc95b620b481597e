import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { INT64_MAX, INT64_MIN } from '../int64.ts';
import { containsText, ilikePattern, rangeAfter } from './list-page.ts';

describe('the range of a page', () => {
  test('ends before the cursor if the newest rows are first, and begins after it otherwise', () => {
    assert.deepEqual(rangeAfter([10n, 20n], undefined, 'newest'), [10n, 20n]);
    assert.deepEqual(rangeAfter([10n, 20n], 15n, 'newest'), [10n, 14n]);
    assert.deepEqual(rangeAfter([10n, 20n], 15n, 'oldest'), [16n, 20n]);
  });

  test('is never larger than without the cursor', () => {
    assert.deepEqual(rangeAfter([10n, 20n], INT64_MAX, 'newest'), [10n, 20n]);
    assert.deepEqual(rangeAfter([10n, 20n], 5n, 'oldest'), [10n, 20n]);
  });

  test('contains no ID if the cursor is at the end', () => {
    for (const [after, order] of [
      [INT64_MIN, 'newest'],
      [10n, 'newest'],
      [20n, 'oldest'],
      [INT64_MAX, 'oldest'],
    ] as const) {
      const [first, last] = rangeAfter([10n, 20n], after, order);
      assert.ok(first > last, `${after} ${order}`);
    }
  });
});

describe('a search text', () => {
  test('is matched literally by the pattern', () => {
    assert.equal(ilikePattern('50%_\\'), '%50\\%\\_\\\\%');
    assert.equal(ilikePattern('你好'), '%你好%');
  });

  test('matches letters outside ASCII by any character, because some locales do not know their case', () => {
    assert.equal(ilikePattern('Élan'), '%_lan%');
  });

  test('is found regardless of case', () => {
    assert.ok(containsText('Grand ÉLAN', 'élan'));
    assert.ok(!containsText('Grand alan', 'élan'));
  });
});
