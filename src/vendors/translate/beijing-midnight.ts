import type { VendorResponse } from '../vendor.ts';

/** Beijing has had no summer time since 1991. */
const BEIJING_OFFSET_MS = 8 * 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** When Chinese vendors count from nothing again: the next midnight in Beijing, never the present moment. */
export function nextBeijingMidnight(now: Date): Date {
  const today = Math.floor((now.getTime() + BEIJING_OFFSET_MS) / DAY_MS);
  return new Date((today + 1) * DAY_MS - BEIJING_OFFSET_MS);
}

/** When a vendor says that it answered: it is the vendor's midnight that counts. If it does not say so, `otherwise`. */
export function responseTime({ headers }: Pick<VendorResponse, 'headers'>, fallback: Date): Date {
  const text = headers.date;
  const time = typeof text === 'string' && HTTP_DATE.test(text) ? new Date(text) : fallback;
  return Number.isNaN(time.getTime()) ? fallback : time;
}

/** `Date` alone would take `7` for a year. */
const HTTP_DATE = /^[A-Z][a-z]{2}, .* GMT$/;
