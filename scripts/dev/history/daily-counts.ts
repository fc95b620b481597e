import { lastDays } from '../../../console/src/shared/days.ts';
import type { Carillon, PushStatisticsDailyResponse } from '../../../sdk/src/index.ts';

/** More days than the history has. */
const DAYS = 30;

/**
 * Returns the counters by day of an app with history, or undefined while they are incomplete: a worker adds new tasks
 * about once a minute.
 */
export async function completeDailyCounts(api: Carillon): Promise<PushStatisticsDailyResponse['list'] | undefined> {
  const { list } = await api.push.statistics.daily(lastDays(DAYS, Date.now()));
  const { list: tasks } = await api.push.task.list({ limit: 500, counts: true });
  const counted = list.reduce((sum, { sent }) => sum + sent, 0n);
  return counted > 0n && counted === tasks.reduce((sum, { sent }) => sum + (sent ?? 0n), 0n) ? list : undefined;
}
