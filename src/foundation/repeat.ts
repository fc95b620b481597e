import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `work` repeatedly, `pauseMs` after the end of each call, until stopped. The error of a failed call is passed to
 * `onError` and does not end the loop, because the next call repeats the work. After a failed call the pause is
 * `errorPauseMs`, shortened by a random part of up to half of it, so that many processes do not retry at the same time.
 */
export function repeat(options: {
  pauseMs: number;
  errorPauseMs?: number;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
}): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      let { pauseMs } = options;
      try {
        await options.work();
      } catch (error) {
        options.onError(error);
        if (options.errorPauseMs !== undefined) pauseMs = options.errorPauseMs * (1 - Math.random() / 2);
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
