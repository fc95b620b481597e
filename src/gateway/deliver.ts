import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Delivery } from '#src/motion/gateway.ts';
import { PublishFrame } from './codec.ts';
import type { Sessions } from './sessions.ts';

/**
 * Writes notifications to the sessions they are meant for and answers, per delivery, the places that were written.
 * Anything else is "not here": another owner, a full window, too late; the worker then takes another way.
 */
export function deliverToSessions(
  sessions: Sessions,
  clock: DatabaseClock,
  deliveries: readonly Delivery[],
): number[][] {
  const now = clock.now().getTime();
  return deliveries.map(({ taskId, shard, slice, n, payload, notAfter, targets }) => {
    if (now > notAfter) return [];
    const frame = new PublishFrame(payload);
    return targets
      .filter(({ place, deviceId, generation }) => {
        const session = sessions.get(deviceId);
        if (session?.device.generation !== generation) return false;
        return session.notify(frame, { taskId, shard, slice, place, n }, false) === 'written';
      })
      .map(({ place }) => place);
  });
}
