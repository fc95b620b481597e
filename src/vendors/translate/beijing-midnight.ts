import type { DailyQuota, VendorResponse } from '../vendor.ts';

/** Beijing has not used daylight saving time since 1991. */
const BEIJING_OFFSET_MS = 8 * 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Returns the next midnight in Beijing, always in the future. Chinese vendors reset their quotas at that time. */
export function nextBeijingMidnight(now: Date): Date {
  const today = Math.floor((now.getTime() + BEIJING_OFFSET_MS) / DAY_MS);
  return new Date((today + 1) * DAY_MS - BEIJING_OFFSET_MS);
}

/** The daily quota of an app at most Chinese vendors. It covers all messages. */
export const beijingDailyQuota: DailyQuota = { environments: [0, 1], classes: [''], endOfDay: nextBeijingMidnight };

/** Returns the daily quota at vendors that limit only test messages. */
export const beijingTestQuota = (perDay: number): DailyQuota => ({
  ...beijingDailyQuota,
  environments: [0],
  testLimits: { '': perDay },
});

/** Returns a time in Beijing as `yyyy-MM-dd HH:mm:ss`. */
export const beijingTimeText = (time: Date): string =>
  new Date(time.getTime() + BEIJING_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Returns the time in a response's `Date` header, because quotas are reset at midnight by the vendor's clock. Returns
 * `fallback` if the header is missing or invalid.
 */
export function responseTime({ headers }: Pick<VendorResponse, 'headers'>, fallback: Date): Date {
  const text = headers.date;
  const time = typeof text === 'string' && HTTP_DATE.test(text) ? new Date(text) : fallback;
  return Number.isNaN(time.getTime()) ? fallback : time;
}

/** `Date` alone would parse `7` as a year. */
const HTTP_DATE = /^[A-Z][a-z]{2}, .* GMT$/;
