import type { HomeDb } from '../database/database.ts';

/** Number of days for which an idempotency key is recognized, even if only the final counts of its task are left. */
const KEPT_DAYS = 90;

/** Returns the task of an idempotency key. */
export async function findTaskOfRequest(
  db: HomeDb,
  key: { readonly appId: string; readonly bucket: number; readonly author: string; readonly requestId: string },
): Promise<bigint | undefined> {
  const [row] = await db.query<{ taskId: bigint }>(
    `select task_id as "taskId"
       from request_keys
      where app_id = $1 and bucket = $2 and author = $3 and request_id = $4`,
    [key.appId, key.bucket, key.author, key.requestId],
  );
  return row?.taskId;
}

/** Deletes up to `limit` idempotency keys that are older than 90 days. Returns the number of deleted rows. */
export async function deleteOldRequestKeys(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from request_keys
      where (app_id, bucket, author, request_id) in (
              select app_id, bucket, author, request_id
                from request_keys
               where at < now() - interval '${KEPT_DAYS} days'
               limit $1
                 for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
