import type * as real from '#src/foundation/repeat.ts';
import { currentProcess } from './scheduler.ts';

/** An idle loop doubles its sleep up to this limit, because virtual time without events still costs real time. */
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
