const BASE_MS = 1_000;
const CAP_MS = 5 * 60 * 1_000;

/** How long to wait before the next attempt: doubling with full jitter, so that what failed together does not return together. */
export function backoffMs(attempts: number, random: () => number): number {
  return Math.ceil(random() * Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts, 20)));
}
