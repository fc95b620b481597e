import { setTimeout as sleep } from 'node:timers/promises';
import { reason } from '../reason-codes.ts';
import type { Presence } from './presence.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

const TICK_MS = 100;
/** The last tenth of the time is for the acknowledgements of the devices that are moved last. */
const SPREAD_SHARE = 0.9;
/** The default of `CARILLON_ACKNOWLEDGE_SECONDS`, the time for which a worker waits for an acknowledgement. */
const LAST_ACKNOWLEDGEMENTS_MS = 5_000;

/**
 * Closes all sessions, spread over `seconds`, so that the other gateways are not overloaded. Each device is first
 * announced as disconnected, so that new notifications immediately use another channel. The device can still
 * acknowledge earlier notifications before its session is closed. When the time is over or `forceStop` is aborted, the
 * remaining sessions are closed.
 */
export async function drain(options: {
  sessions: Sessions;
  presence: Presence;
  seconds: number;
  forceStop: AbortSignal;
}): Promise<void> {
  const { sessions, presence, forceStop } = options;
  const startedMs = performance.now();
  const initialSize = sessions.size;
  const spreadMs = options.seconds * 1_000 * SPREAD_SHARE;
  /** Sessions that are announced as disconnected, with the time of the announcement. */
  const leaving = new Map<Session, number>();

  const markLeaving = (now: number, remainingMax: number) => {
    for (const session of sessions.all()) {
      if (sessions.size <= remainingMax) return;
      if (sessions.remove(session)) presence.disconnected(session.device);
      leaving.set(session, now);
    }
  };
  while (sessions.size + leaving.size > 0 && !forceStop.aborted) {
    const now = performance.now();
    if (now - startedMs >= options.seconds * 1_000) break;
    markLeaving(now, Math.floor(initialSize * (1 - (now - startedMs) / spreadMs)));
    for (const [session, since] of leaving) {
      if (!session.isIdle && now - since < LAST_ACKNOWLEDGEMENTS_MS) continue;
      session.close(reason.useAnotherServer);
      leaving.delete(session);
    }
    await sleep(TICK_MS, undefined, { signal: forceStop }).catch(() => undefined);
  }
  markLeaving(performance.now(), 0);
  for (const session of leaving.keys()) session.close(reason.useAnotherServer);
}
