import type { HomeDb } from '../database/database.ts';

/** The ID in place of an admin token, for a call with a user's access token. */
export const USER_TOKEN_ID = 0n;

/** A recorded call with an admin token, or of a user who changed their password. */
export interface AuditEntry {
  readonly appId: string;
  readonly tokenId: bigint;
  readonly tokenName: string;
  readonly operation: string;
  /** A JSON string. */
  readonly detail: string;
  readonly address: string;
  /** The entry of the same call that was written before the call ran, or null. */
  readonly resultOf: bigint | null;
}

/** Inserts an entry and returns its ID. */
export async function insertAuditEntry(db: HomeDb, entry: AuditEntry): Promise<bigint> {
  const [row] = await db.query<{ auditId: bigint }>(
    `insert into audit (app_id, token_id, token_name, operation, detail, address, result_of)
     values ($1, $2, $3, $4, $5, $6, $7)
     returning audit_id as "auditId"`,
    [entry.appId, entry.tokenId, entry.tokenName, entry.operation, entry.detail, entry.address, entry.resultOf],
  );
  return (row as { auditId: bigint }).auditId;
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
            operation, detail, address, result_of as "resultOf"
       from audit
      where app_id = $1 and ($2::bigint is null or audit_id < $2)
      order by audit_id desc
      limit $3`,
    [appId, before, limit],
  );
}
