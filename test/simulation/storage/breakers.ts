import type { TrippedBreaker } from '#src/domain/vendor-account/breaker.ts';
import type * as real from '#src/storage/accounts/breakers.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { homeRows } from './rows.ts';

const keyOf = ({ appId, channel, environment }: Pick<TrippedBreaker, 'appId' | 'channel' | 'environment'>): string =>
  `${appId} ${channel} ${environment}`;

export const findTrippedBreakers: typeof real.findTrippedBreakers = (db, appId) =>
  read(db, 'findTrippedBreakers', () =>
    [...homeRows(db).breakers.values()].filter((breaker) => breaker.appId === appId),
  );

export const tripBreaker: typeof real.tripBreaker = (db, breaker, probeSeconds) =>
  write(db, 'tripBreaker', () => {
    const database = simulatedDatabaseOf(db);
    const before = homeRows(db).breakers.get(keyOf(breaker));
    if (before && before.version > breaker.version) return false;
    const fresh = before?.version !== breaker.version;
    const trippedAt = fresh ? new Date(database.now) : before.trippedAt;
    const probeAt = new Date(Math.max(before?.probeAt.getTime() ?? 0, database.now + probeSeconds * 1_000));
    database.put(homeRows(db).breakers, keyOf(breaker), { ...breaker, trippedAt, probeAt });
    return fresh;
  });

export const claimProbe: typeof real.claimProbe = (db, key, version, probeSeconds) =>
  write(db, 'claimProbe', () => {
    const database = simulatedDatabaseOf(db);
    const breaker = homeRows(db).breakers.get(keyOf(key));
    if (!breaker || breaker.version !== version || breaker.probeAt.getTime() > database.now) return false;
    const probeAt = new Date(database.now + probeSeconds * 1_000);
    database.put(homeRows(db).breakers, keyOf(key), { ...breaker, probeAt });
    return true;
  });

export const resetBreaker: typeof real.resetBreaker = (db, key, version, proof) =>
  write(db, 'resetBreaker', () => {
    const breaker = homeRows(db).breakers.get(keyOf(key));
    if (!breaker || breaker.version > version || (proof === 'reached' && breaker.suspect)) return false;
    simulatedDatabaseOf(db).remove(homeRows(db).breakers, keyOf(key));
    return true;
  });
