import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { onRevocation } from '#src/signals/revocation.ts';
import type { Motion } from '#src/signals/signals.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findRevocations, type Revocation } from '#src/storage/users/revocations.ts';
import { type ConnectedDevice, reason } from './sessions/session.ts';
import type { Sessions } from './sessions/sessions.ts';

const LOOK_MS = 2_000;

/** Ends the sessions of what was revoked, within seconds, also without NATS. */
export function watchRevocations(options: { db: HomeDb; motion: Motion; sessions: Sessions; log: Log }): {
  stop(): Promise<void>;
} {
  const { db, motion, sessions, log } = options;
  let since = new Date(0);

  const look = async () => {
    const { now, revocations } = await findRevocations(db, since);
    since = now;
    if (revocations.length === 0 || sessions.size === 0) return;
    const isRevoked = indexRevocations(revocations);
    for (const session of sessions.all()) if (isRevoked(session.device)) session.close(reason.notAuthorised);
  };
  const onError = (error: unknown) => log.warn('revocations-not-read', { error });
  onRevocation(motion, () => void look().catch(onError));
  return repeat({ pauseMs: LOOK_MS, work: look, onError });
}

function indexRevocations(revocations: readonly Revocation[]): (device: ConnectedDevice) => boolean {
  const tokens = new Set<string>();
  const users = new Map<string, number>();
  const apps = new Map<string, number>();
  for (const { appId, userId, tokenHash, at } of revocations) {
    if (tokenHash) tokens.add(tokenHash.toString('hex'));
    else if (userId === null) keepLatest(apps, appId, at);
    else keepLatest(users, `${appId} ${userId}`, at);
  }
  return ({ appId, userId, tokenHash, tokenMadeAt, connectedAt }) => {
    const revokedAt = users.get(`${appId} ${userId}`);
    // A token that was made after its user was revoked is a new beginning.
    if (revokedAt !== undefined && tokenMadeAt <= revokedAt) return true;
    // An app that was shut may have been opened again, and what connected since may stay.
    const shutAt = apps.get(appId);
    if (shutAt !== undefined && connectedAt <= shutAt) return true;
    return tokens.has(tokenHash);
  };
}

/** Rows come in no order. */
function keepLatest(times: Map<string, number>, key: string, at: Date): void {
  times.set(key, Math.max(times.get(key) ?? 0, at.getTime()));
}
