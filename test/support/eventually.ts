import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * Repeats a check until it succeeds. Use it for a state that the system reaches after an unknown time. Throws the last
 * failure when the time limit is reached.
 */
export async function eventually<T>(check: () => Promise<T> | T, secondsMax = 15): Promise<T> {
  const deadline = performance.now() + secondsMax * 1_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
