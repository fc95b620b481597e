import type { Storage } from '#src/storage/database/database.ts';
import { ensureHomePartitions, ensureShardPartitions } from '#src/storage/database/partitions.ts';

/** With today and the 14 days ahead that makes 93 partitions, as a service has that keeps tasks for a quarter of a year. */
export const PAST_DAYS = 78;

/** Makes the days that a service in use would have: what is asked of tasks and slices must not slow down with them. */
export async function createManyPartitions({ home, shards }: Storage): Promise<void> {
  await ensureHomePartitions(home, PAST_DAYS);
  for (const db of shards.all) await ensureShardPartitions(db, PAST_DAYS);
}
