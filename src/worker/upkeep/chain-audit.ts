import type { ChainLink } from '#src/domain/verification/audit-chain.ts';
import type { Log } from '#src/foundation/log.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { addAuditLinks, findSettledAuditId, hasUnchainedEntries } from '#src/storage/users/audit-chain.ts';

/** Entries per transaction. */
const ENTRIES_MAX = 1_000;
/** Transactions per run. The rest follows in the next run, a minute later. */
const ROUNDS_MAX = 100;

/**
 * Adds new audit entries to the chain of hashes. The last hash is written to the security log, so that a copy exists
 * outside the database. Any worker can run this at any time.
 */
export async function chainAudit(home: HomeDb, log: Log): Promise<void> {
  if (!(await hasUnchainedEntries(home))) return;
  const settledId = await findSettledAuditId(home);
  let entries = 0;
  let last: ChainLink | undefined;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const links = await addAuditLinks(home, settledId, ENTRIES_MAX);
    entries += links.length;
    last = links.at(-1) ?? last;
    if (links.length < ENTRIES_MAX) break;
  }
  if (last) log.security('audit-chained', { entries, auditId: last.auditId, hash: last.hash.toString('hex') });
}
