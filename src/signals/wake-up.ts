import { type Lane, type WorkKind, workKinds } from '#src/domain/task.ts';
import type { Signals } from './signals.ts';
import { subjects, WORKER_QUEUE_GROUP } from './subjects.ts';

/**
 * Signals one worker that a lane has work of a kind. A lost signal only causes a delay, because every worker also polls.
 */
export function sendWakeUp(signals: Signals, lane: Lane, kind: WorkKind): void {
  signals.publish(subjects.wakeUp(lane), kind);
}

/** Calls the handler with the kinds of work that a signal announces. */
export function onWakeUp(signals: Signals, lane: Lane, handler: (kinds: readonly WorkKind[]) => void): void {
  signals.subscribe(
    subjects.wakeUp(lane),
    (text) => {
      const kinds = workKinds.filter((kind) => kind === text);
      handler(kinds.length > 0 ? kinds : workKinds);
      return undefined;
    },
    { queue: WORKER_QUEUE_GROUP },
  );
}
