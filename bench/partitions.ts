import type { Storage } from '#src/storage/database/database.ts';
import { ensureHomePartitions, ensureShardPartitions } from '#src/storage/database/partitions.ts';

/**
 * Number of past days. With today and the next 14 days, there are 93 partitions, as in a service that keeps tasks for
 * three months.
 */
export const PAST_DAYS = 78;

/**
 * Creates the daily partitions of a service in use. Queries on tasks and slices must not become slower with the number
 * of partitions.
 */
export async function createManyPartitions({ home, shards }: Storage): Promise<void> {
  await ensureHomePartitions(home, PAST_DAYS);
  for (const db of shards.all) await ensureShardPartitions(db, PAST_DAYS);
}
