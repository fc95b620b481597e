import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `work` again and again, `pauseMs` after each call ended, until stopped. A failing call is handed to `onError`
 * and does not end the loop: what runs here heals by being run again.
 */
export function repeat(options: { pauseMs: number; work: () => Promise<void>; onError: (error: unknown) => void }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await options.work();
      } catch (error) {
        options.onError(error);
      }
      await sleep(options.pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const finished = loop();
  return {
    stop: () => {
      stopping.abort();
      return finished;
    },
  };
}
