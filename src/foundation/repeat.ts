import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `work` repeatedly, `pauseMs` after the end of each call, until stopped. The error of a failed call is passed to
 * `onError` and does not end the loop, because the next call repeats the work.
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
