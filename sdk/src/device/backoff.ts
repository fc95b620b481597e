/** What follows the end of a connection: another after the usual pause, or after a short one. */
export type RetryPace = 'later' | 'soon';

const DELAY_MS_FIRST = 1_000;
const DELAY_MS_MAX = 120_000;
/** A gateway that shuts down sends all its devices to the others: they arrive spread over this time. */
const SOON_DELAY_MS_MAX = 3_000;

/**
 * How long to wait before the next attempt, in milliseconds: anything between nothing and a bound that doubles with each
 * failure from one second to two minutes. Devices that lost the same gateway come back spread out, not in a wave.
 */
export function retryDelayMs(pace: RetryPace, failures: number, random: () => number = Math.random): number {
  const bound = Math.min(DELAY_MS_MAX, DELAY_MS_FIRST * 2 ** (failures - 1));
  // Whoever is sent away again and again waits longer all the same.
  return random() * (pace === 'soon' ? Math.max(SOON_DELAY_MS_MAX, bound) : bound);
}
