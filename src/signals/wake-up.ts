import type { Lane } from '#src/domain/task.ts';
import type { Motion } from './signals.ts';
import { subjects, WORKERS } from './subjects.ts';

/** Tells some worker that a lane has work. It may get lost: every worker also looks by itself. */
export function ringDoorbell(motion: Motion, lane: Lane): void {
  motion.publish(subjects.doorbell(lane), '');
}

export function onDoorbell(motion: Motion, lane: Lane, hear: () => void): void {
  motion.subscribe(
    subjects.doorbell(lane),
    () => {
      hear();
      return undefined;
    },
    { queue: WORKERS },
  );
}
