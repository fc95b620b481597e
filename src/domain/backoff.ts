import type { Answer } from './settle.ts';

const BASE_MS = 1_000;
const CAP_MS = 5 * 60 * 1_000;

/** How long to wait before the next attempt: doubling with full jitter, so that what failed together does not return together. */
export function backoffMs(attempts: number, random: () => number): number {
  return Math.ceil(random() * Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts, 20)));
}

/** When a slice is looked at again: when the last of its places may be tried. The vendor's own time wins, but not the end. */
export function retryInMs(attempts: number, answers: Iterable<Answer>, leftMs: number, random: () => number): number {
  let waitMs = backoffMs(attempts, random);
  for (const answer of answers)
    if (typeof answer === 'object' && answer.kind === 'throttled')
      waitMs = Math.max(waitMs, answer.retryAfterSeconds * 1_000);
  return Math.min(waitMs, Math.max(leftMs, 0));
}
