import type { AccountKey, TrippedBreaker } from '#src/domain/vendor-account/breaker.ts';
import type { HomeDb } from '../database/database.ts';

/** Returns the tripped circuit breakers of an app. */
export async function findTrippedBreakers(db: HomeDb, appId: string): Promise<TrippedBreaker[]> {
  return db.queryPrepared<TrippedBreaker>(
    `select app_id as "appId", channel, environment, version, cause, reason, coalesce(suspect, false) as suspect,
            tripped_at as "trippedAt", probe_at as "probeAt"
       from breakers
      where app_id = $1`,
    [appId],
  );
}

/**
 * Trips a circuit breaker until a probe succeeds. Changes nothing if the stored breaker belongs to newer credentials.
 * Returns true if the breaker was not tripped before under these credentials.
 */
export async function tripBreaker(
  db: HomeDb,
  { appId, channel, environment, version, cause, reason, suspect }: Omit<TrippedBreaker, 'trippedAt' | 'probeAt'>,
  probeSeconds: number,
): Promise<boolean> {
  const rows = await db.query<{ fresh: boolean }>(
    `insert into breakers as b (app_id, channel, environment, version, cause, reason, suspect, probe_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 s')
     on conflict (app_id, channel, environment) do update
        set version = excluded.version, cause = excluded.cause, reason = excluded.reason, suspect = excluded.suspect,
            tripped_at = case when b.version = excluded.version then b.tripped_at else now() end,
            probe_at = greatest(b.probe_at, excluded.probe_at)
      where b.version <= excluded.version
     returning tripped_at = now() as fresh`,
    [appId, channel, environment, version, cause, reason, suspect, probeSeconds],
  );
  return rows.some(({ fresh }) => fresh);
}

/** Claims the right to send one probe. Only one worker gets it, and none gets it again for `probeSeconds`. */
export async function claimProbe(db: HomeDb, key: AccountKey, version: number, probeSeconds: number): Promise<boolean> {
  const rows = await db.query(
    `update breakers set probe_at = now() + $5 * interval '1 s'
      where app_id = $1 and channel = $2 and environment = $3 and version = $4 and probe_at <= now()
      returning app_id`,
    [key.appId, key.channel, key.environment, version, probeSeconds],
  );
  return rows.length > 0;
}

/**
 * Resets a circuit breaker. `answered`: the vendor processed a call with these credentials. `reached`: the vendor
 * reported a suspect token, which does not reset a breaker that tripped because of suspect tokens. Returns true if the
 * breaker was tripped.
 */
export async function resetBreaker(
  db: HomeDb,
  key: AccountKey,
  version: number,
  proof: 'answered' | 'reached',
): Promise<boolean> {
  const rows = await db.query(
    `delete from breakers
      where app_id = $1 and channel = $2 and environment = $3 and version <= $4
        and ($5 = 'answered' or suspect is not true)
      returning app_id`,
    [key.appId, key.channel, key.environment, version, proof],
  );
  return rows.length > 0;
}
