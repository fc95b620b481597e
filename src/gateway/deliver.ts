import { recallPayload } from '#src/domain/message.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Delivery, DeliveryResult, Recall } from '#src/signals/gateway.ts';
import { PublishFrame } from './codec.ts';
import type { Sessions } from './sessions/sessions.ts';

/**
 * Writes notifications to the sessions of their devices and returns the indexes that were written or queued. Other
 * devices cannot be reached through this gateway: they have no session, another owner or a full buffer, or the deadline
 * has passed. The worker then uses another channel.
 */
export function deliverToSessions(
  sessions: Sessions,
  clock: DatabaseClock,
  deliveries: readonly Delivery[],
): DeliveryResult[] {
  const now = clock.now().getTime();
  return deliveries.map(({ taskId, bucket, sliceNumber, placeCount, payload, notAfter, dueAt, targets }) => {
    const result = { written: [] as number[], queued: [] as number[] };
    if (now > notAfter) return result;
    const frame = new PublishFrame(payload);
    for (const { index, deviceId, generation } of targets) {
      const session = sessions.get(deviceId);
      if (session?.device.generation !== generation) continue;
      // Only one device per delivery is measured, because measuring every device would cost too much.
      const latencySample =
        result.written.length === 0 && dueAt !== undefined
          ? { ageMs: now - dueAt, writtenMs: performance.now() }
          : undefined;
      const notifyResult = session.notify(
        frame,
        { taskId, bucket, sliceNumber, index, placeCount },
        false,
        latencySample,
      );
      if (notifyResult !== 'full') result[notifyResult].push(index);
    }
    return result;
  });
}

/**
 * Writes a recall to the sessions of the devices whose client supports it, and returns the indexes that were written. A
 * device that has another owner by now is left out.
 */
export function recallFromSessions(sessions: Sessions, { taskId, targets }: Recall): number[] {
  const payload = recallPayload(taskId);
  return targets.flatMap(({ index, deviceId, generation }) => {
    const session = sessions.get(deviceId);
    return session?.device.generation === generation && session.recall(payload) ? [index] : [];
  });
}
