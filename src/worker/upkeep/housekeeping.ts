import { settleAll } from '#src/foundation/settle-all.ts';
import { deleteOldSignatures } from '#src/storage/accounts/callbacks.ts';
import { deleteOldProviderTokens } from '#src/storage/accounts/provider-tokens.ts';
import { deleteOldQuotaUsage } from '#src/storage/accounts/quota-usage.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { dayNumberOf, ensureHomePartitions, ensureShardPartitions } from '#src/storage/database/partitions.ts';
import { deleteEndedBindings, deleteOwnerlessDevices } from '#src/storage/devices/ownership.ts';
import { deleteDeadGateways } from '#src/storage/devices/presence.ts';
import { deleteVendorTokenOwners } from '#src/storage/devices/vendor-token-owners.ts';
import { deleteOldDailyCounts } from '#src/storage/ledger/daily-counts.ts';
import { deleteExpiredDrafts } from '#src/storage/ledger/drafts.ts';
import { deleteOldFinalCounts } from '#src/storage/ledger/final-counts.ts';
import { deleteOldRequestKeys } from '#src/storage/ledger/request-keys.ts';
import { deleteEndedSessions } from '#src/storage/operators/operator-sessions.ts';
import { deleteOldAuditEntries } from '#src/storage/users/audit-chain.ts';
import { deleteExpiredPoints, takePoints } from '#src/storage/users/rate-limits.ts';
import { deleteOldRevocations } from '#src/storage/users/revocations.ts';
import { deleteExpiredTokens } from '#src/storage/users/tokens.ts';
import type { WorkerContext } from '../context.ts';
import { warnExpiringCertificates } from './certificate-expiry.ts';
import { retireDays } from './retire-days.ts';

/**
 * Maximum number of rows per statement, so that no statement takes long. With at most 100 statements, up to a million
 * rows of each kind are deleted per hour.
 */
const ROWS_MAX = 10_000;
const ROUNDS_MAX = 100;
const DAY_MS = 86_400_000;
/** Lets one worker per hour retire days. A second worker would do no harm, but the work would be done twice. */
const RETIRE_DAYS_LIMIT = { key: 'retiring-days', pointsMax: 1, seconds: 50 * 60 };

/**
 * Runs once an hour. Creates the partitions of the coming days first, because tasks cannot be expanded without them.
 * Then deletes expired data and logs expiring credentials; a failure in one of these parts does not stop the others.
 * Drops old days last, if nothing failed.
 */
export async function runHousekeeping({ storage, clock, settings, log }: WorkerContext): Promise<void> {
  const { home, shards } = storage;
  const countsKeptFrom = new Date(clock.now().getTime() - settings.CARILLON_COUNTS_DAYS * DAY_MS);
  await settleAll([ensureHomePartitions(home), ...shards.all.map((db) => ensureShardPartitions(db))]);
  await settleAll([
    warnExpiringCertificates(home, clock.now(), log),
    deleteInBatches((limit) => deleteExpiredPoints(home, limit)),
    deleteInBatches((limit) => deleteOldRevocations(home, limit)),
    deleteInBatches((limit) => deleteExpiredTokens(home, limit)),
    deleteInBatches((limit) => deleteEndedSessions(home, limit)),
    deleteInBatches((limit) => deleteOldAuditEntries(home, limit)),
    deleteInBatches((limit) => deleteOldProviderTokens(home, limit)),
    deleteInBatches((limit) => deleteOldSignatures(home, limit)),
    deleteInBatches((limit) => deleteOldQuotaUsage(home, limit)),
    deleteInBatches((limit) => deleteOldRequestKeys(home, limit)),
    deleteInBatches((limit) => deleteExpiredDrafts(home, limit)),
    deleteInBatches((limit) => deleteOldFinalCounts(home, countsKeptFrom, limit)),
    deleteInBatches((limit) => deleteOldDailyCounts(home, dayNumberOf(countsKeptFrom), limit)),
    ...shards.all.flatMap((db) => [
      deleteDeadGateways(db),
      deleteInBatches((limit) => deleteReleasedDevices(storage, db, limit)),
      deleteInBatches((limit) => deleteEndedBindings(db, limit)),
    ]),
  ]);
  const [turn] = await takePoints(home, [RETIRE_DAYS_LIMIT]);
  if (turn && turn.remaining >= 0)
    await retireDays(storage, { now: clock.now(), retentionDays: settings.CARILLON_RETENTION_DAYS, log });
}

async function deleteReleasedDevices({ home }: Storage, db: ShardDb, limit: number): Promise<number> {
  const deletedDevices = await deleteOwnerlessDevices(db, limit);
  if (deletedDevices.length > 0) await deleteVendorTokenOwners(home, deletedDevices);
  return deletedDevices.length;
}

async function deleteInBatches(deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) if ((await deleteBatch(ROWS_MAX)) < ROWS_MAX) return;
}
