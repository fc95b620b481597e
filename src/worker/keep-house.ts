import { forgetOldAudit } from '#src/truth/audit.ts';
import type { Truth } from '#src/truth/database.ts';
import { forgetOldPoints } from '#src/truth/limits.ts';
import { forgetLeftovers } from '#src/truth/ownership.ts';
import { ensureHomePartitions, ensureShardPartitions } from '#src/truth/partitions.ts';
import { forgetDeadGateways } from '#src/truth/presence.ts';
import { forgetOldRevocations } from '#src/truth/revocations.ts';
import { forgetExpiredTokens } from '#src/truth/tokens.ts';

/** So many rows at a time: what is left over is for the next hour. */
const ROWS_MAX = 10_000;

/** Once an hour: partitions for the days to come, and what has outlived its use. */
export async function keepHouse({ home, shards }: Truth): Promise<void> {
  await ensureHomePartitions(home);
  await forgetOldPoints(home);
  await forgetOldRevocations(home);
  await forgetExpiredTokens(home, ROWS_MAX);
  await forgetOldAudit(home);
  for (const db of shards.all) {
    await ensureShardPartitions(db);
    await forgetDeadGateways(db);
    await forgetLeftovers(db, ROWS_MAX);
  }
}
