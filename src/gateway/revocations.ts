import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { onRevocation } from '#src/signals/revocation.ts';
import type { Signals } from '#src/signals/signals.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findRevocations, type Revocation } from '#src/storage/users/revocations.ts';
import { reason } from './reason-codes.ts';
import type { ConnectedDevice } from './sessions/session.ts';
import type { Sessions } from './sessions/sessions.ts';

const POLL_MS = 2_000;

/**
 * Closes the sessions of revoked tokens and disabled apps within seconds, even without NATS. A revocation covers one
 * token, all tokens of a user, or all tokens that an admin token created.
 */
export function watchRevocations(options: { db: HomeDb; signals: Signals; sessions: Sessions; log: Log }): {
  stop(): Promise<void>;
} {
  const { db, signals, sessions, log } = options;
  let since = new Date(0);

  const poll = async () => {
    const { now, revocations } = await findRevocations(db, since);
    since = now;
    if (revocations.length === 0 || sessions.size === 0) return;
    const isRevoked = indexRevocations(revocations);
    for (const session of sessions.all()) if (isRevoked(session.device)) session.close(reason.notAuthorised);
  };
  const onError = (error: unknown) => log.warn('revocations-read-failed', { error });
  onRevocation(signals, () => void poll().catch(onError));
  return repeat({ pauseMs: POLL_MS, work: poll, onError });
}

function indexRevocations(revocations: readonly Revocation[]): (device: ConnectedDevice) => boolean {
  const tokenHashes = new Set<string>();
  const parents = new Set<bigint>();
  const userRevokedAt = new Map<string, number>();
  const appDisabledAt = new Map<string, number>();
  for (const { appId, userId, tokenHash, parent, at } of revocations) {
    if (parent !== null) parents.add(parent);
    else if (tokenHash) tokenHashes.add(tokenHash.toString('hex'));
    else if (userId === null) setLatest(appDisabledAt, appId, at);
    else setLatest(userRevokedAt, `${appId} ${userId}`, at);
  }
  return ({ appId, userId, tokenHash, tokenParent, tokenCreatedAt, connectedAt }) => {
    const revokedAt = userRevokedAt.get(`${appId} ${userId}`);
    // A token that was created after the revocation of its user's tokens stays valid.
    if (revokedAt !== undefined && tokenCreatedAt <= revokedAt) return true;
    // A disabled app can be enabled again, so devices that connected after it was disabled stay connected.
    const disabledAt = appDisabledAt.get(appId);
    if (disabledAt !== undefined && connectedAt <= disabledAt) return true;
    return tokenHashes.has(tokenHash) || (tokenParent !== null && parents.has(tokenParent));
  };
}

/** Keeps the latest time per key, because rows are unordered. */
function setLatest(times: Map<string, number>, key: string, at: Date): void {
  times.set(key, Math.max(times.get(key) ?? 0, at.getTime()));
}
