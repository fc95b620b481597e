import type { PlaceOutcome } from './place-outcome.ts';

const BASE_MS = 1_000;
const CAP_MS = 5 * 60 * 1_000;

/**
 * Returns the delay before the next attempt: exponential backoff with full jitter, so that work that failed together is
 * not retried together.
 */
export function backoffMs(attempts: number, random: () => number): number {
  return Math.ceil(random() * Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts, 20)));
}

/**
 * Returns the delay until a slice is retried, which is the longest delay of its places. A longer retry time requested
 * by the vendor replaces the backoff. Delays that end after the expiry are ignored, because they would prevent retries
 * of the other places.
 */
export function retryInMs(
  attempts: number,
  outcomes: Iterable<PlaceOutcome>,
  remainingMs: number,
  random: () => number,
): number {
  const backoff = backoffMs(attempts, random);
  const delays = [...outcomes].flatMap((outcome) => retryDelaysOf(outcome, backoff)).filter((ms) => ms < remainingMs);
  return delays.length > 0 ? Math.max(...delays) : Math.max(remainingMs, 0);
}

/** Returns an empty list for a place that is not retried. */
function retryDelaysOf(outcome: PlaceOutcome, waitMs: number): number[] {
  if (outcome === 'breaker-open') return [waitMs];
  if (typeof outcome !== 'object') return [];
  if (outcome.kind === 'throttled') return [Math.max(waitMs, outcome.retryAfterSeconds * 1_000)];
  return outcome.kind === 'unreachable' || outcome.kind === 'locked-out' ? [waitMs] : [];
}
