import type { ListOrder } from '#src/foundation/lists/list-page.ts';
import type { HomeDb } from '../database/database.ts';
import { SCANNED_ROWS_MAX, type ScannedRow } from '../database/scanned-pages.ts';

/** The ID in place of an admin token, for other callers. */
export const NO_TOKEN_ID = 0n;

/**
 * A recorded call with an admin token, of an operator, or of a user who changed their password, a sign-in with OpenID
 * Connect that changed the operator, or a command on the server.
 */
export interface AuditEntry {
  /** Null if the call changed something that belongs to no app. */
  readonly appId: string | null;
  readonly tokenId: bigint;
  /** The name of the admin token, or the email address of the operator. */
  readonly tokenName: string;
  readonly operatorId: bigint | null;
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
    `insert into audit (app_id, token_id, token_name, operation, detail, address, result_of, operator_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     returning audit_id as "auditId"`,
    [
      ...[entry.appId, entry.tokenId, entry.tokenName, entry.operation, entry.detail, entry.address, entry.resultOf],
      entry.operatorId,
    ],
  );
  return (row as { auditId: bigint }).auditId;
}

export interface AuditFilter {
  /** The range of the IDs. */
  readonly range: readonly [bigint, bigint];
  readonly order: ListOrder;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly operationPrefix?: string | undefined;
  readonly tokenId?: bigint | undefined;
  readonly operatorId?: bigint | undefined;
  /** A pattern of `ilike` for the detail. */
  readonly detailPattern?: string | undefined;
}

export interface ListedAuditEntry extends AuditEntry, ScannedRow {
  readonly auditId: bigint;
  readonly at: Date;
  /** The current name of the operator. */
  readonly operatorName: string | null;
}

/**
 * Reads up to `SCANNED_ROWS_MAX` entries of an app, or of no app if `appId` is null. Returns up to `limit` of them:
 * those that match the filter, and the last one that was read. IDs increase with time, except for entries that are
 * written at the same time. The IDs of a time are therefore taken a minute earlier and later, and the time of each entry
 * is compared.
 */
export async function scanAuditEntries(
  db: HomeDb,
  appId: string | null,
  { range, order, from, to, operationPrefix, tokenId, operatorId, detailPattern }: AuditFilter,
  limit: number,
): Promise<ListedAuditEntry[]> {
  const direction = order === 'newest' ? 'desc' : 'asc';
  const ofApp = appId === null ? 'app_id is null and $1::text is null' : 'app_id = $1';
  const idAt = (time: string) => `(select audit_id from audit where at >= ${time} order by at limit 1)`;
  return db.query<ListedAuditEntry>(
    `select checked.*, o.name as "operatorName" from (
       select *, ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)
                   and ($6::text is null or starts_with(operation, $6)) and ($7::bigint is null or "tokenId" = $7)
                   and ($8::text is null or detail ilike $8)
                   and ($9::bigint is null or "operatorId" = $9) as "isMatch"
         from (select *, row_number() over (order by "auditId" ${direction})::int as scanned
                 from (select audit_id as "auditId", at, app_id as "appId", token_id as "tokenId",
                              token_name as "tokenName", operation, detail, address, result_of as "resultOf",
                              operator_id as "operatorId"
                         from audit
                        where ${ofApp} and audit_id between $2 and $3
                          ${from ? `and audit_id >= ${idAt(`$4::timestamptz - interval '1 minute'`)}` : ''}
                          ${to ? `and audit_id <= coalesce(${idAt(`$5::timestamptz + interval '1 minute'`)}, $3)` : ''}
                        order by audit_id ${direction}
                        limit ${SCANNED_ROWS_MAX}) as entries) as numbered) as checked
       left join operators o on o.operator_id = checked."operatorId"
      where "isMatch" or scanned = ${SCANNED_ROWS_MAX}
      order by "auditId" ${direction}
      limit $10`,
    [
      ...[appId, ...range, from, to, operationPrefix ?? null, tokenId ?? null, detailPattern ?? null],
      ...[operatorId ?? null, limit],
    ],
  );
}
