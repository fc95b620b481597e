/** Shorter and longer delays are replaced by these bounds. */
const SECONDS_MIN = 1;
const SECONDS_MAX = 60 * 60;

type Headers = Readonly<Record<string, unknown>>;

/** Returns the delay that the vendor requests, or `fallback` if it requests none. */
export function retryAfterSeconds(headers: Headers, fallback: number): number {
  return readRetryAfter(headers) ?? fallback;
}

/**
 * Returns the delay in `Retry-After`, given as seconds or as a date, or undefined if it is absent or invalid. A date is
 * compared with the response's own `Date`, so that clock errors do not matter.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = stringOrEmpty(headers['retry-after']).trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsBetween(stringOrEmpty(headers.date), text);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, SECONDS_MIN), SECONDS_MAX);
}

const secondsBetween = (from: string, to: string): number => Math.ceil((readDate(to) - readDate(from)) / 1_000);

/** Parses an HTTP date, which begins with the day and ends in GMT. `Date.parse` alone would parse `7` as a year. */
const readDate = (text: string): number => (/^[A-Z][a-z]+,? .* GMT$/.test(text) ? Date.parse(text) : Number.NaN);

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
