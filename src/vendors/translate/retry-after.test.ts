import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRetryAfter, retryAfterSeconds } from './retry-after.ts';

const date = 'Sun, 15 Nov 2026 12:00:00 GMT';

describe('Retry-After', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['seconds', '7', 7],
    ['seconds surrounded by spaces', ' 7 ', 7],
    ['an hour', '3600', 3_600],
    ['zero, replaced by a second', '0', 1],
    ['a day, replaced by an hour', '86400', 3_600],
    ['an enormous number, replaced by an hour', '9'.repeat(400), 3_600],
    ['a date', 'Sun, 15 Nov 2026 12:01:30 GMT', 90],
    ['the same date, replaced by a second', date, 1],
    ['a date in the past, replaced by a second', 'Sun, 15 Nov 2026 11:00:00 GMT', 1],
    ['a date tomorrow, replaced by an hour', 'Mon, 16 Nov 2026 12:00:00 GMT', 3_600],
  ];
  for (const [what, text, seconds] of cases) {
    test(`given as ${what}`, () => assert.equal(readRetryAfter({ date, 'retry-after': text }), seconds));
  }

  for (const text of [undefined, '', 'soon', '-7', '7.5', '7s', '0x7', '2026-11-15T12:01:30Z', 7, ['7', '8']]) {
    test(`is ignored if it is ${JSON.stringify(text)}`, () => {
      assert.equal(readRetryAfter({ date, 'retry-after': text }), undefined);
      assert.equal(retryAfterSeconds({ date, 'retry-after': text }, 60), 60);
    });
  }

  test('as a date is ignored if the response has no Date header', () => {
    assert.equal(readRetryAfter({ 'retry-after': date }), undefined);
  });

  test('takes precedence over the default delay', () => {
    assert.equal(retryAfterSeconds({ 'retry-after': '7' }, 60), 7);
  });
});
