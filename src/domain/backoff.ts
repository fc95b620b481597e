import type { PlaceOutcome } from './place-outcome.ts';

const BASE_MS = 1_000;
const CAP_MS = 5 * 60 * 1_000;

/** How long to wait before the next attempt: doubling with full jitter, so that what failed together does not return together. */
export function backoffMs(attempts: number, random: () => number): number {
  return Math.ceil(random() * Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts, 20)));
}

/**
 * When a slice is looked at again: when the last of its places may be tried. The vendor's own time wins. A place whose time
 * comes only after the end holds nobody up: the others would end with it, although there was time to try them.
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

/** None for a place that is not tried again. */
function retryDelaysOf(outcome: PlaceOutcome, waitMs: number): number[] {
  if (outcome === 'breaker-open') return [waitMs];
  if (typeof outcome !== 'object') return [];
  if (outcome.kind === 'throttled') return [Math.max(waitMs, outcome.retryAfterSeconds * 1_000)];
  return outcome.kind === 'unreachable' || outcome.kind === 'locked-out' ? [waitMs] : [];
}
