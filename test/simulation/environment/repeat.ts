import type * as real from '#src/foundation/repeat.ts';
import { currentProcess } from './scheduler.ts';

/** A loop that has nothing to do sleeps longer each time, up to this: virtual time in which nothing happens costs real time. */
const IDLE_MS_MAX = 1_000;

export const repeat: typeof real.repeat = ({ pauseMs, work, onError }) => {
  const process = currentProcess();
  let stopped = false;
  const loop = async () => {
    let idleMs = pauseMs;
    while (!stopped) {
      const { steps } = process;
      try {
        await work();
      } catch (error) {
        onError(error);
      }
      idleMs = process.steps === steps ? Math.min(idleMs * 2, Math.max(IDLE_MS_MAX, pauseMs)) : pauseMs;
      await process.scheduler.sleep(idleMs);
    }
  };
  void loop();
  return {
    stop: async () => {
      stopped = true;
    },
  };
};
