/** The delay after a connection has ended: `later` is the usual delay, `soon` a short one. */
export type RetryPace = 'later' | 'soon';

const DELAY_MS_FIRST = 1_000;
const DELAY_MS_MAX = 120_000;
/**
 * Upper bound of the first `soon` delays. A gateway that is shutting down disconnects all its devices, and this delay
 * spreads their reconnects.
 */
const SOON_DELAY_MS_MAX = 3_000;

/**
 * Returns a random number of milliseconds to wait before the next attempt. Its upper bound doubles with each failure,
 * from one second to two minutes. The jitter spreads the reconnects of devices that lost the same gateway.
 */
export function retryDelayMs(pace: RetryPace, failures: number, random: () => number = Math.random): number {
  const bound = Math.min(DELAY_MS_MAX, DELAY_MS_FIRST * 2 ** (failures - 1));
  // Repeated failures also increase the delay for `soon`.
  return random() * (pace === 'soon' ? Math.max(SOON_DELAY_MS_MAX, bound) : bound);
}
