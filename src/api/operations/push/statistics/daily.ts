import { DAYS_MAX, pushStatisticsDaily } from '#src/contract/push/statistics/daily.ts';
import { Problem } from '#src/domain/problem.ts';
import { dayNumberOf, startOfDay } from '#src/storage/database/partitions.ts';
import { findCheckTime, findDailyCounts } from '#src/storage/ledger/daily-counts.ts';
import type { Route } from '../../../context.ts';

export const pushStatisticsDailyRoute: Route<typeof pushStatisticsDaily> = {
  operation: pushStatisticsDaily,
  handle: async ({ storage }, { app, body }) => {
    const [first, last] = [toDayNumber('from', body.from), toDayNumber('to', body.to)];
    if (last < first) throw new Problem('bad-parameter', 'to is before from.');
    if (last - first >= DAYS_MAX) throw new Problem('bad-parameter', `The range has more than ${DAYS_MAX} days.`);
    const databases = storage.shards.all.map((db) => storage.shards.nameOf(db));
    // Before the counts, which can be newer than this time but not older.
    const countedAt = await findCheckTime(storage.home, databases);
    const counts = await findDailyCounts(storage.home, app.appId, [first, last], body.channel ?? null);
    return {
      list: counts.map(({ day, ...totals }) => ({ day: startOfDay(day).toISOString().slice(0, 10), ...totals })),
      counted_at: countedAt && BigInt(countedAt.getTime()),
    };
  },
};

function toDayNumber(field: string, text: string): number {
  const date = new Date(`${text}T00:00:00Z`);
  // JavaScript accepts February 30 and returns a day of March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
    throw new Problem('bad-parameter', `${field} is not a day: ${text}. Send a day such as 2026-11-01.`);
  return dayNumberOf(date);
}
