import type * as real from '#src/foundation/repeat.ts';
import { currentProcess } from './scheduler.ts';

/** Maximum sleep of an idle loop, which doubles its sleep each time. Each wake-up in virtual time costs real time. */
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
