import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * Asks again until the answer is the wanted one: for what the system promises to become true, and tells nobody when. The
 * last failure is the test's.
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
