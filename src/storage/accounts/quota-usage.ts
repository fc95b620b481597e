import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import type { QuotaUsage } from '#src/domain/vendor-account/quota-usage.ts';
import type { HomeDb } from '../database/database.ts';

/** The usage of an app that all workers have counted. */
export interface UsageSum extends AccountKey {
  readonly class: string;
  readonly resetsAt: Date;
  readonly accepted: bigint;
}

/** Returns the usage of an app on the days that have not ended. */
export async function findQuotaUsage(db: HomeDb, appId: string, now: Date): Promise<UsageSum[]> {
  return db.queryPrepared<UsageSum>(
    `select app_id as "appId", channel, environment, class, resets_at as "resetsAt", sum(accepted)::bigint as accepted
       from quota_usage
      where app_id = $1 and resets_at > $2
      group by app_id, channel, environment, class, resets_at`,
    [appId, now],
  );
}

/** Saves the counts of one worker, with one row for each. A lower count than the stored one is from an earlier write. */
export async function saveQuotaUsage(db: HomeDb, usage: readonly QuotaUsage[]): Promise<void> {
  await db.query(
    `insert into quota_usage as u (app_id, resets_at, channel, environment, class, counter, accepted)
     select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::smallint[], $5::text[], $6::uuid[], $7::bigint[])
     on conflict (app_id, resets_at, channel, environment, class, counter) do update
        set accepted = greatest(u.accepted, excluded.accepted)`,
    [
      usage.map(({ appId }) => appId),
      usage.map(({ resetsAt }) => resetsAt),
      usage.map(({ channel }) => channel),
      usage.map(({ environment }) => environment),
      usage.map((row) => row.class),
      usage.map(({ counter }) => counter),
      usage.map(({ accepted }) => accepted),
    ],
  );
}

/** Deletes up to `limit` rows of days that ended at least a day ago. Returns the number of deleted rows. */
export async function deleteOldQuotaUsage(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from quota_usage
      where (app_id, resets_at, channel, environment, class, counter) in
              (select app_id, resets_at, channel, environment, class, counter
                 from quota_usage
                where resets_at < now() - interval '1 day'
                limit $1
                  for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
