const DAY_MS = 24 * 60 * 60 * 1000;
/** The last day of a date field. Otherwise, browsers accept years of six digits, which are not valid in the address. */
export const DAY_MAX = '9999-12-31';

/** Returns a range of days in UTC that ends today, as `/push/statistics/daily` accepts it. */
export const lastDays = (days: number, nowMs: number): { readonly from: string; readonly to: string } => ({
  from: dayOf(nowMs - (days - 1) * DAY_MS),
  to: dayOf(nowMs),
});

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the day of a time in the time zone of the browser. */
export const localDayOf = (ms: number): string => dayOf(ms - new Date(ms).getTimezoneOffset() * 60_000);

/** Returns every day of a range. */
export function daysBetween(from: string, to: string): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
}

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Returns the start of a day in Unix milliseconds, or of a day some days later, in the time zone of the browser. */
export function startOfDay(day: string, daysLater = 0): bigint {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return BigInt(new Date(year, month - 1, date + daysLater).getTime());
}
