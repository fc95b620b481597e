import { channels } from '#src/domain/channel.ts';
import type { Storage } from '#src/storage/database/database.ts';

/** The number of rows of each table, in all databases together. */
export type RowCounts = Readonly<Record<string, number>>;

/** Counts the rows of all tables except those of PostgreSQL. Partitions count as their table. */
export async function countRows({ home, shards }: Storage): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const db of new Set([home, ...shards.all])) {
    const tables = await db.query<{ name: string }>(
      `select relname as name from pg_class
        where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
          and relname !~ '_day_'`,
    );
    for (const { name } of tables) {
      const [row] = await db.query<{ rows: number }>(`select count(*)::int as rows from "${name}"`);
      counts[name] = (counts[name] ?? 0) + (row?.rows ?? 0);
    }
  }
  return counts;
}

interface Usage {
  readonly day: number;
  readonly retentionDays: number;
  readonly devices: number;
  /** Tasks and idempotency keys per day. */
  readonly tasks: number;
  readonly keys: number;
}

const DATABASES_MAX = 7;
const KEY_DAYS = 90;
/** Access tokens of this test are valid for a day, and expired ones are kept for 30 days. */
const TOKEN_DAYS = 32;

/** Tables that contain nothing of tasks, and do not grow without new devices, apps or settings. */
const CONSTANT_ROWS_MAX = 60;

/** Returns the limit of each table. A table that is not listed here has few rows on every day. */
export function rowLimits(
  counts: RowCounts,
  { day, retentionDays, devices, tasks, keys }: Usage,
): { readonly table: string; readonly rows: number; readonly limit: number }[] {
  const keptDays = Math.min(day, retentionDays) + 1;
  // A notification to all devices has a slice for each channel and expansion, in each database.
  const slices = keptDays * (tasks + 2 * devices);
  const limits: Readonly<Record<string, number>> = {
    tasks: keptDays * tasks,
    stored_bytes: keptDays,
    request_keys: Math.min(day + 1, KEY_DAYS + 1) * keys,
    final_counts: Math.max(0, day - retentionDays + 1) * tasks,
    daily_counts: (day + 1) * DATABASES_MAX * channels.length,
    // Partitions are created 14 days ahead.
    daily_count_days: (day + 16) * DATABASES_MAX,
    slices,
    slice_targets: slices,
    expansions: slices,
    inbox: devices * tasks,
    audit: 2 * (day + 1),
    audit_chain: 2 * (day + 1),
    devices,
    user_tokens: Math.min(day + 2, TOKEN_DAYS) * devices,
    users: devices,
    sessions: devices,
  };
  return Object.entries(counts).map(([table, rows]) => ({ table, rows, limit: limits[table] ?? CONSTANT_ROWS_MAX }));
}
