import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRetryAfter, retryAfterSeconds } from './retry-after.ts';

const date = 'Sun, 15 Nov 2026 12:00:00 GMT';

describe('Retry-After', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['seconds', '7', 7],
    ['seconds with blanks around them', ' 7 ', 7],
    ['an hour', '3600', 3_600],
    ['nothing to wait for: a second', '0', 1],
    ['a day: an hour', '86400', 3_600],
    ['a number beyond all numbers: an hour', '9'.repeat(400), 3_600],
    ['a date', 'Sun, 15 Nov 2026 12:01:30 GMT', 90],
    ['the same date: a second', date, 1],
    ['a date that is over: a second', 'Sun, 15 Nov 2026 11:00:00 GMT', 1],
    ['a date tomorrow: an hour', 'Mon, 16 Nov 2026 12:00:00 GMT', 3_600],
  ];
  for (const [what, text, seconds] of cases) {
    test(`says ${what}`, () => assert.equal(readRetryAfter({ date, 'retry-after': text }), seconds));
  }

  for (const text of [undefined, '', 'soon', '-7', '7.5', '7s', '0x7', '2026-11-15T12:01:30Z', 7, ['7', '8']]) {
    test(`says nothing as ${JSON.stringify(text)}`, () => {
      assert.equal(readRetryAfter({ date, 'retry-after': text }), undefined);
      assert.equal(retryAfterSeconds({ date, 'retry-after': text }, 60), 60);
    });
  }

  test('as a date says nothing when the answer has no date of its own', () => {
    assert.equal(readRetryAfter({ 'retry-after': date }), undefined);
  });

  test('is believed rather than what would be waited without it', () => {
    assert.equal(retryAfterSeconds({ 'retry-after': '7' }, 60), 7);
  });
});
