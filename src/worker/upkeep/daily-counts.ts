import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import {
  countDay,
  type DayChanges,
  findDayChanges,
  findDaysToCount,
  recordCheck,
  replaceDailyCounts,
} from '#src/storage/ledger/daily-counts.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import { setPeriodEnd, takePoints } from '#src/storage/users/rate-limits.ts';

/** Lets one worker count per interval. */
const TURN = 'daily-counts';
const COUNT_SECONDS = 60;
/** The time between two counts, as a multiple of the duration of a count. A count therefore needs 5 % of a connection. */
const PAUSE_FACTOR = 20;

/** Counts the days that have changed, at most once a minute. */
export function startDailyCounts({ storage, log }: { readonly storage: Storage; readonly log: Log }): {
  stop(): Promise<void>;
} {
  return repeat({
    pauseMs: COUNT_SECONDS * 1_000,
    work: async () => {
      const [turn] = await takePoints(storage.home, [{ key: TURN, pointsMax: 1, seconds: COUNT_SECONDS }]);
      if (!turn || turn.remaining < 0) return;
      const began = performance.now();
      await refreshDailyCounts(storage, log);
      const pauseSeconds = Math.ceil((PAUSE_FACTOR * (performance.now() - began)) / 1_000);
      if (pauseSeconds > COUNT_SECONDS) await setPeriodEnd(storage.home, TURN, pauseSeconds);
    },
    onError: (error) => log.warn('daily-count-failed', { error }),
  });
}

/** Counts the changed days of each database. If a database is unavailable, the counts of its days stay as they are. */
export async function refreshDailyCounts(storage: Storage, log: Log): Promise<void> {
  await Promise.all(
    storage.shards.all.map((db) =>
      refreshDatabase(storage, db).catch((error: unknown) =>
        log.warn('daily-count-failed', { database: storage.shards.nameOf(db), error }),
      ),
    ),
  );
}

async function refreshDatabase(storage: Storage, db: ShardDb): Promise<void> {
  const database = storage.shards.nameOf(db);
  const days = await findDaysToCount(storage.home, database, await findDayChanges(db));
  const startedAt = days[0]?.now;
  if (!startedAt) return;
  for (const day of days) await storeDay(storage, db, day, startedAt);
  await recordCheck(storage.home, database, startedAt);
}

/** Counts a day in every database, even if PostgreSQL has not reported a change of it yet. */
export async function storeDailyCounts(storage: Storage, day: number): Promise<void> {
  const startedAt = await readClock(storage.home);
  for (const db of storage.shards.all) await storeDay(storage, db, { day, changes: null }, startedAt);
}

async function storeDay(
  { home, shards }: Storage,
  db: ShardDb,
  { day, changes }: DayChanges,
  startedAt: Date,
): Promise<void> {
  const totals = await countDay(db, day);
  if (totals) await replaceDailyCounts(home, { day, changes, database: shards.nameOf(db), startedAt }, totals);
}
