import type { Lane } from '#src/domain/task.ts';
import type { Signals } from './signals.ts';
import { subjects, WORKER_QUEUE_GROUP } from './subjects.ts';

/** Signals one worker that a lane has work. A lost signal only causes a delay, because every worker also polls. */
export function sendWakeUp(signals: Signals, lane: Lane): void {
  signals.publish(subjects.wakeUp(lane), '');
}

export function onWakeUp(signals: Signals, lane: Lane, handler: () => void): void {
  signals.subscribe(
    subjects.wakeUp(lane),
    () => {
      handler();
      return undefined;
    },
    { queue: WORKER_QUEUE_GROUP },
  );
}
