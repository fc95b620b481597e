import type { HomeDb } from '../database/database.ts';

/** A recorded call with an admin token. */
export interface AuditEntry {
  readonly appId: string;
  readonly tokenId: bigint;
  readonly tokenName: string;
  readonly operation: string;
  /** A JSON string. */
  readonly detail: string;
  readonly address: string;
}

/** Inserts an entry and returns its ID. */
export async function insertAuditEntry(db: HomeDb, entry: AuditEntry): Promise<bigint> {
  const [row] = await db.query<{ auditId: bigint }>(
    `insert into audit (app_id, token_id, token_name, operation, detail, address) values ($1, $2, $3, $4, $5, $6)
     returning audit_id as "auditId"`,
    [entry.appId, entry.tokenId, entry.tokenName, entry.operation, entry.detail, entry.address],
  );
  return (row as { auditId: bigint }).auditId;
}

/** Updates an entry with details that are known only after the call, such as the ID of a created object. */
export async function updateAuditDetail(db: HomeDb, auditId: bigint, detail: string): Promise<void> {
  await db.query('update audit set detail = $2 where audit_id = $1', [auditId, detail]);
}

/** Returns the entries before `before`, the latest first. */
export async function findAuditEntries(
  db: HomeDb,
  appId: string,
  before: bigint | null,
  limit: number,
): Promise<(AuditEntry & { auditId: bigint; at: Date })[]> {
  return db.query(
    `select audit_id as "auditId", at, app_id as "appId", token_id as "tokenId", token_name as "tokenName",
            operation, detail, address
       from audit
      where app_id = $1 and ($2::bigint is null or audit_id < $2)
      order by audit_id desc
      limit $3`,
    [appId, before, limit],
  );
}

const KEPT_DAYS = 400;

/** Deletes up to `limit` entries that are older than 400 days. Returns the number of deleted rows. */
export async function deleteOldAuditEntries(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from audit
      where audit_id in (select audit_id from audit
                          where at < now() - interval '${KEPT_DAYS} days'
                          limit $1
                            for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
