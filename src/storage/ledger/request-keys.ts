import type { HomeDb } from '../database/database.ts';

/** So long a request id is known again, whether its task's day is still there or only its counts are. */
const KEPT_DAYS = 90;

/** Answers how many it forgot. */
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
