import type { LastResponse } from '#src/domain/vendor-account/last-response.ts';
import type { HomeDb } from '../database/database.ts';

/** Returns the last response of each vendor account of an app. */
export async function findLastResponses(db: HomeDb, appId: string): Promise<LastResponse[]> {
  return db.query<LastResponse>(
    'select app_id as "appId", channel, environment, version, kind, reason, at from last_responses where app_id = $1',
    [appId],
  );
}

/** Saves the last response of an account, unless a later one is stored. */
export async function saveLastResponse(
  db: HomeDb,
  { appId, channel, environment, version, kind, reason, at }: LastResponse,
): Promise<void> {
  await db.query(
    `insert into last_responses as r (app_id, channel, environment, version, kind, reason, at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (app_id, channel, environment) do update
        set version = excluded.version, kind = excluded.kind, reason = excluded.reason, at = excluded.at
      where r.version < excluded.version or (r.version = excluded.version and r.at <= excluded.at)`,
    [appId, channel, environment, version, kind, reason, at],
  );
}
