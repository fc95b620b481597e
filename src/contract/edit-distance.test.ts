import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from './edit-distance.ts';

test('counts inserted, deleted and replaced characters, and swapped neighbours as one edit', () => {
  for (const [a, b, distance] of [
    ['title', 'title', 0],
    ['titel', 'title', 1],
    ['ttle', 'title', 1],
    ['titlee', 'title', 1],
    ['tilte', 'title', 1],
    ['totle', 'title', 1],
    ['show_begin_tme', 'show_begin_time', 1],
    ['shwo_begin_tme', 'show_begin_time', 2],
    ['ab', 'ba', 1],
    ['', 'ab', 2],
  ] as const) {
    assert.equal(editDistance(a, b, 2), distance, `${a} ${b}`);
    assert.equal(editDistance(b, a, 2), distance, `${b} ${a}`);
  }
});

test('returns undefined if there are more edits than allowed', () => {
  assert.equal(editDistance('titel', 'title', 0), undefined);
  assert.equal(editDistance('user', 'user_id', 2), undefined);
  assert.equal(editDistance('colour', 'title', 2), undefined);
});
