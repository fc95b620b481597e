import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nextBeijingMidnight, responseTime } from './beijing-midnight.ts';

describe('the next midnight in Beijing', () => {
  const moments = [
    ['2026-11-15T12:00:00.000Z', '2026-11-15T16:00:00.000Z'],
    ['2026-11-15T15:59:59.999Z', '2026-11-15T16:00:00.000Z'],
    ['2026-11-15T16:00:00.000Z', '2026-11-16T16:00:00.000Z'],
    ['2026-12-31T23:59:59.000Z', '2027-01-01T16:00:00.000Z'],
    ['2028-02-28T17:00:00.000Z', '2028-02-29T16:00:00.000Z'],
  ] as const;
  for (const [now, midnight] of moments)
    test(`after ${now} is ${midnight}`, () => {
      assert.equal(nextBeijingMidnight(new Date(now)).toISOString(), midnight);
    });

  test('is at most a day ahead, and is midnight in Beijing', () => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', timeStyle: 'medium' });
    const since = { min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(since), (now) => {
        const midnight = nextBeijingMidnight(now);
        const ahead = midnight.getTime() - now.getTime();
        assert.ok(ahead > 0 && ahead <= 86_400_000);
        assert.equal(clock.format(midnight), '00:00:00');
      }),
    );
  });
});

describe('time of a response', () => {
  const otherwise = new Date('2026-11-15T12:00:00Z');

  test('is the Date header', () => {
    const headers = { date: 'Sun, 15 Nov 2026 17:00:00 GMT' };
    assert.deepEqual(responseTime({ headers }, otherwise), new Date('2026-11-15T17:00:00Z'));
  });

  test('is the local time if the Date header is missing or invalid', () => {
    for (const date of [undefined, '', '7', 'soon', 'Sun, 99 Nov 2026 GMT', ['Sun, 15 Nov 2026 17:00:00 GMT'], 7])
      assert.deepEqual(responseTime({ headers: { date } }, otherwise), otherwise, String(date));
  });
});
