import type { HomeDb } from '../database/database.ts';

/**
 * An idempotency key is recognized for this many days, whether its task's day still exists or only its final counts.
 */
const KEPT_DAYS = 90;

/** Deletes idempotency keys older than 90 days, at most `limit`. Returns the number of deleted rows. */
export async function deleteOldRequestKeys(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from request_keys
      where (app_id, author, request_id) in (
              select app_id, author, request_id
                from request_keys
               where at < now() - interval '${KEPT_DAYS} days'
               limit $1
                 for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
