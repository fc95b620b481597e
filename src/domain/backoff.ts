import type { Answer } from './settle.ts';

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
export function retryInMs(attempts: number, answers: Iterable<Answer>, leftMs: number, random: () => number): number {
  const waitMs = backoffMs(attempts, random);
  const waits = [...answers].flatMap((answer) => waitOf(answer, waitMs)).filter((ms) => ms < leftMs);
  return waits.length > 0 ? Math.max(...waits) : Math.max(leftMs, 0);
}

/** None for a place that is not tried again. */
function waitOf(answer: Answer, waitMs: number): number[] {
  if (answer === 'gated') return [waitMs];
  if (typeof answer !== 'object') return [];
  if (answer.kind === 'throttled') return [Math.max(waitMs, answer.retryAfterSeconds * 1_000)];
  return answer.kind === 'unreachable' || answer.kind === 'locked-out' ? [waitMs] : [];
}
