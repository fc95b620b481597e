import {
  CHAIN_START,
  type ChainedEntry,
  type ChainLink,
  type ChainRow,
  linkEntries,
} from '#src/domain/verification/audit-chain.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { type HomeDb, inTransaction } from '../database/database.ts';

/** Arbitrary numbers that no other lock uses. One transaction at a time adds links, and one deletes old entries. */
const ADD_LINKS_LOCK_ID = 7_232_027;
const DELETE_ENTRIES_LOCK_ID = 7_232_028;
/** Number of days for which entries are kept. A trigger of the table rejects the deletion of newer entries. */
const KEPT_DAYS = 400;
/** Maximum time for which the job waits for open inserts. Other inserts wait behind it. */
const LOCK_MS_MAX = 200;

/** Takes a lock until the end of the transaction. Returns false if another transaction has it. */
async function tryLock(tx: HomeDb, lockId: number): Promise<boolean> {
  const [row] = await tx.query<{ isLocked: boolean }>('select pg_try_advisory_xact_lock($1) as "isLocked"', [lockId]);
  return row?.isLocked === true;
}

export async function hasUnchainedEntries(db: HomeDb): Promise<boolean> {
  const [row] = await db.query<{ isPending: boolean }>(
    `select coalesce((select max(audit_id) from audit), 0) > coalesce((select max(audit_id) from audit_chain), 0)
              as "isPending"`,
  );
  return row?.isPending === true;
}

/**
 * Returns an ID up to which all entries are visible. IDs are assigned before the commit, so an entry can become visible
 * later than an entry with a higher ID. An insert locks the table before it gets its ID, so no insert with an ID is
 * open while this transaction has its lock, and later inserts get higher IDs. Throws a lock conflict if an insert stays
 * open.
 */
export function findSettledAuditId(db: HomeDb): Promise<bigint> {
  return inTransaction(db, async (tx) => {
    await tx.query(`set local lock_timeout = '${LOCK_MS_MAX}ms'`);
    await tx.query('lock table audit in share mode');
    const [row] = await tx.query<{ auditId: bigint }>('select coalesce(max(audit_id), 0) as "auditId" from audit');
    return (row as { auditId: bigint }).auditId;
  });
}

/**
 * Adds links to up to `limit` entries with IDs up to `settledId`, in the order of the IDs. Returns the links. The list
 * is empty if all entries have links, or if another worker is adding them.
 */
export function addAuditLinks(db: HomeDb, settledId: bigint, limit: number): Promise<ChainLink[]> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, ADD_LINKS_LOCK_ID))) return [];
    const [last] = await tx.query<{ auditId: bigint; hash: Buffer }>(
      'select audit_id as "auditId", hash from audit_chain order by audit_id desc limit 1',
    );
    const entries = await tx.query<ChainedEntry>(
      `select ${ENTRY_COLUMNS} from audit a
        where a.audit_id > $1 and a.audit_id <= $2
        order by a.audit_id
        limit $3`,
      [last?.auditId ?? 0n, settledId, limit],
    );
    const links = linkEntries(last?.hash ?? CHAIN_START, entries);
    await tx.query(
      `insert into audit_chain (audit_id, previous, hash)
       select * from unnest($1::bigint[], $2::bytea[], $3::bytea[])`,
      [links.map(({ auditId }) => auditId), links.map(({ previous }) => previous), links.map(({ hash }) => hash)],
    );
    return links;
  });
}

const ENTRY_COLUMNS = `
  a.audit_id as "auditId", a.app_id as "appId", a.token_id as "tokenId", a.token_name as "tokenName",
  a.operator_id as "operatorId", a.operation, a.detail, a.address,
  (extract(epoch from a.at) * 1000000)::bigint as "atMicros", a.result_of as "resultOf"`;

/** Entries and links after an ID, and how many entries follow the last link. */
export interface ChainPage {
  readonly rows: readonly ChainRow[];
  readonly pending: number;
}

/** Returns up to `limit` entries and links after an entry, in the order of their IDs. */
export async function findChainPage(db: HomeDb, after: bigint, limit: number): Promise<ChainPage> {
  const rows = await db.query<StoredChainRow>(
    `with entries as (
       select * from audit where audit_id > $1 order by audit_id limit $2
     ), links as (
       select * from audit_chain where audit_id > $1 order by audit_id limit $2
     ), last as (
       select coalesce(max(audit_id), 0) as id from audit_chain
     )
     select coalesce(a.audit_id, c.audit_id) as id, a.audit_id is null as "isMissing",
            a.audit_id > last.id as "isPending", a.at < now() - interval '${KEPT_DAYS} days' as "isOld",
            c.previous, c.hash, ${ENTRY_COLUMNS}
       from entries a full join links c on c.audit_id = a.audit_id, last
      order by 1
      limit $2`,
    [after, limit],
  );
  const chained = rows.filter(({ isPending }) => !isPending);
  return { rows: chained.map(toChainRow), pending: rows.length - chained.length };
}

interface StoredChainRow extends ChainedEntry {
  readonly id: bigint;
  readonly isMissing: boolean;
  readonly isPending: boolean | null;
  readonly isOld: boolean | null;
  readonly previous: Buffer | null;
  readonly hash: Buffer | null;
}

function toChainRow({ id, isMissing, isPending: _, isOld, previous, hash, ...entry }: StoredChainRow): ChainRow {
  return {
    auditId: id,
    entry: isMissing ? null : entry,
    link: previous && hash && { auditId: id, previous, hash },
    isOld: isOld === true,
  };
}

/**
 * Deletes up to `limit` entries that are older than 400 days, the oldest first. The links of the chain are deleted with
 * them. The last of these entries is kept: its time proves that the entries before it were old enough. Returns the
 * number of deleted rows.
 */
export function deleteOldAuditEntries(db: HomeDb, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    // Deletions must not overlap, because a gap would remain if one of them failed.
    if (!(await tryLock(tx, DELETE_ENTRIES_LOCK_ID))) return 0;
    const deleted = await tx.query(
      `with recent as (
         select audit_id from audit where at >= now() - interval '${KEPT_DAYS} days' order by audit_id limit 1
       ), kept as (
         select max(audit_id) as audit_id from audit_chain
          where audit_id < coalesce((select audit_id from recent), ${INT64_MAX})
       )
       delete from audit
        where audit_id in (select a.audit_id from audit a, kept where a.audit_id < kept.audit_id
                            order by a.audit_id
                            limit $1
                              for update of a)
        returning 1`,
      [limit],
    );
    return deleted.length;
  });
}
