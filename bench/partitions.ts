import type { Truth } from '#src/storage/database/database.ts';
import { ensureHomePartitions, ensureShardPartitions } from '#src/storage/database/partitions.ts';

/** With today and the 14 days ahead that makes 93 partitions, as a service has that keeps tasks for a quarter of a year. */
export const DAYS_BEHIND = 78;

/** Makes the days that a service in use would have: what is asked of tasks and slices must not slow down with them. */
export async function makeManyDays({ home, shards }: Truth): Promise<void> {
  await ensureHomePartitions(home, DAYS_BEHIND);
  for (const db of shards.all) await ensureShardPartitions(db, DAYS_BEHIND);
}
