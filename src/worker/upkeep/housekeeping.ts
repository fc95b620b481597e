import { forgetOldProviderTokens } from '#src/storage/accounts/provider-tokens.ts';
import type { ShardDb, Truth } from '#src/storage/database/database.ts';
import { ensureHomePartitions, ensureShardPartitions } from '#src/storage/database/partitions.ts';
import { forgetEndedBindings, forgetLeftDevices } from '#src/storage/devices/ownership.ts';
import { forgetDeadGateways } from '#src/storage/devices/presence.ts';
import { forgetBound } from '#src/storage/devices/vendor-token-owners.ts';
import { forgetOldCounts } from '#src/storage/ledger/final-counts.ts';
import { forgetOldRequestKeys } from '#src/storage/ledger/request-keys.ts';
import { forgetOldAudit } from '#src/storage/users/audit.ts';
import { forgetOldPoints, takePoints } from '#src/storage/users/rate-limits.ts';
import { forgetOldRevocations } from '#src/storage/users/revocations.ts';
import { forgetExpiredTokens } from '#src/storage/users/tokens.ts';
import type { WorkerContext } from '../context.ts';
import { settleAll } from '../pacing/group-by-database.ts';
import { tellExpiring } from './certificate-expiry.ts';
import { retireDays } from './retire-days.ts';

/** So many rows at a time, so that no statement lasts long; and so many times, which is a million rows an hour. */
const ROWS_MAX = 10_000;
const ROUNDS_MAX = 100;
const DAY_MS = 86_400_000;
/** Counting a day is work for one worker; a second one would do no harm, and no good. */
const RETIRING = { key: 'retiring-days', pointsMax: 1, seconds: 50 * 60 };

/**
 * Once an hour: partitions for the days to come, and then what has outlived its use, or soon will have. Partitions first, since without one
 * nothing can be expanded; and nothing of the rest keeps another part from being done. Days that are dropped come last.
 */
export async function keepHouse({ truth, clock, settings, log }: WorkerContext): Promise<void> {
  const { home, shards } = truth;
  const countsKeptFrom = new Date(clock.now().getTime() - settings.CARILLON_COUNTS_DAYS * DAY_MS);
  await settleAll([ensureHomePartitions(home), ...shards.all.map((db) => ensureShardPartitions(db))]);
  await settleAll([
    tellExpiring(home, clock.now(), log),
    forgetAll((limit) => forgetOldPoints(home, limit)),
    forgetAll((limit) => forgetOldRevocations(home, limit)),
    forgetAll((limit) => forgetExpiredTokens(home, limit)),
    forgetAll((limit) => forgetOldAudit(home, limit)),
    forgetAll((limit) => forgetOldProviderTokens(home, limit)),
    forgetAll((limit) => forgetOldRequestKeys(home, limit)),
    forgetAll((limit) => forgetOldCounts(home, countsKeptFrom, limit)),
    ...shards.all.flatMap((db) => [
      forgetDeadGateways(db),
      forgetAll((limit) => forgetDevices(truth, db, limit)),
      forgetAll((limit) => forgetEndedBindings(db, limit)),
    ]),
  ]);
  const [turn] = await takePoints(home, [RETIRING]);
  if (turn && turn.left >= 0)
    await retireDays(truth, { now: clock.now(), keptDays: settings.CARILLON_RETENTION_DAYS, log });
}

async function forgetDevices({ home }: Truth, db: ShardDb, limit: number): Promise<number> {
  const gone = await forgetLeftDevices(db, limit);
  if (gone.length > 0) await forgetBound(home, gone);
  return gone.length;
}

async function forgetAll(forget: (limit: number) => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) if ((await forget(ROWS_MAX)) < ROWS_MAX) return;
}
