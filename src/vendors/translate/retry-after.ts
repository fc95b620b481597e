/** A vendor that says less or more than this is asked again after the bound. */
const SECONDS_MIN = 1;
const SECONDS_MAX = 60 * 60;

type Headers = Readonly<Record<string, unknown>>;

/** How long a vendor wants us to wait, whether it says so or not. */
export function retryAfterSeconds(headers: Headers, fallback: number): number {
  return readRetryAfter(headers) ?? fallback;
}

/**
 * What `Retry-After` says, as seconds or as a date; nothing when it is absent or makes no sense. A date is measured
 * against the answer's own `Date`, so that it does not matter whose clock is wrong.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = stringOrEmpty(headers['retry-after']).trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsBetween(stringOrEmpty(headers.date), text);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, SECONDS_MIN), SECONDS_MAX);
}

const secondsBetween = (from: string, to: string): number => Math.ceil((readDate(to) - readDate(from)) / 1_000);

/** HTTP's dates begin with the day and end in GMT; `Date.parse` alone would take `7` for a year. */
const readDate = (text: string): number => (/^[A-Z][a-z]+,? .* GMT$/.test(text) ? Date.parse(text) : Number.NaN);

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
