const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const units = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1],
] as const;

/** Returns the largest unit that a time span fills, and the length of the unit in seconds. */
export const unitFor = (seconds: number) => units.find(([, length]) => seconds >= length) ?? units[3];

/** Returns a function that formats Unix milliseconds relative to now, such as "5 minutes ago" or "now". */
export function relativeTimeIn(language: string): (ms: bigint | number, nowMs: number) => string {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  // A span of 24 to 48 hours is one day, but it can have started on the day before yesterday.
  const numeric = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  return (ms, nowMs) => {
    const seconds = (Number(ms) - nowMs) / 1000;
    const [unit, length] = unitFor(Math.abs(seconds));
    return (unit === 'day' ? numeric : relative).format(Math.trunc(seconds / length), unit);
  };
}
