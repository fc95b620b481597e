import { setTimeout as sleep } from 'node:timers/promises';
import { reason } from '../reason-codes.ts';
import type { Presence } from './presence.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

const TICK_MS = 100;
/** The last tenth of the time is for the answers of those who were sent away last. */
const SPREAD_SHARE = 0.9;
/** As long as a worker waits for an answer. */
const LAST_ACKNOWLEDGEMENTS_MS = 5_000;

/**
 * Sends the devices elsewhere, spread over so many seconds, since those who take them in have other things to do. Whoever
 * is sent away is told as gone first, so that what comes for it goes another way at once; it may still answer what it got,
 * and then it is told to go. At the end of the time, or when there is a hurry, the rest is closed.
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
  /** Those who are told as gone, and since when. */
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
