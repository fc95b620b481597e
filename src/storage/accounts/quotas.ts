import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import type { HomeDb } from '../database/database.ts';

/** An exhausted daily quota of an app at a vendor, for one message class. */
export interface ExhaustedQuota extends AccountKey {
  readonly class: string;
  readonly exhaustedUntil: Date;
  readonly exhaustedAt: Date;
}

/** Returns the quotas of an app that are exhausted now. */
export async function findExhaustedQuotas(db: HomeDb, appId: string): Promise<ExhaustedQuota[]> {
  return db.queryPrepared<ExhaustedQuota>(
    `select app_id as "appId", channel, environment, class, spent_until as "exhaustedUntil", spent_at as "exhaustedAt"
       from quotas
      where app_id = $1 and spent_until > now()`,
    [appId],
  );
}

/** Marks a quota as exhausted until the given time. Returns true if it was not marked already. */
export async function markQuotaExhausted(
  db: HomeDb,
  { appId, channel, environment }: AccountKey,
  messageClass: string,
  until: Date,
): Promise<boolean> {
  const rows = await db.query<{ fresh: boolean }>(
    `insert into quotas as q (app_id, channel, environment, class, spent_until) values ($1, $2, $3, $4, $5)
     on conflict (app_id, channel, environment, class) do update
        set spent_at = case when q.spent_until > now() then q.spent_at else now() end,
            spent_until = greatest(q.spent_until, excluded.spent_until)
     returning spent_at = now() as fresh`,
    [appId, channel, environment, messageClass, until],
  );
  return rows.some(({ fresh }) => fresh);
}
