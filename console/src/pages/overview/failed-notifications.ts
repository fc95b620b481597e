import type { Carillon, PushStatisticsDailyResponse, PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import type { ChannelName } from '../../shared/channels.ts';

type DailyCount = Pick<PushStatisticsDailyResponse['list'][number], 'channel' | 'target' | 'sent'>;

/** Many failures on a channel, in the tasks that were checked. */
export interface ChannelFailures {
  readonly kind: 'failures';
  readonly channel: ChannelName;
  readonly target: bigint;
  readonly failed: bigint;
}

/** A smaller share of failures is normal, because some vendor tokens are always outdated. */
const PERCENT_MIN = 20n;
/** Fewer devices are no trend. */
const TARGET_MIN = 100n;
const isMany = (part: bigint, whole: bigint): boolean => part > 0n && part * 100n >= whole * PERCENT_MIN;

/** At most this many tasks are compared, because a page of the list has at most this many. */
const TASKS_MAX = 500;
/** At most this many tasks are checked, because each of them is one request. */
const REPORTS_MAX = 10;

/** Reasons that do not count: an operator or a user has stopped the delivery, or Carillon tries again. */
const uncounted: ReadonlySet<string> = new Set(['cancelled', 'logged-out', 'throttled']);

/**
 * Returns the vendor channels through which many notifications were not sent, for any reason: they may have failed,
 * still wait, or be cancelled. A device that is offline is no failure of the Carillon channel.
 */
export function channelsToCheck(counts: readonly DailyCount[]): ReadonlySet<ChannelName> {
  const channels = [...Map.groupBy(counts, ({ channel }) => channel as ChannelName)].filter(([channel, days]) => {
    const target = days.reduce((sum, day) => sum + day.target, 0n);
    const sent = days.reduce((sum, day) => sum + day.sent, 0n);
    return channel !== 'nativepush' && target >= TARGET_MIN && isMany(target - sent, target);
  });
  return new Set(channels.map(([channel]) => channel));
}

/** Returns the reports of the tasks since the start of a day in UTC that have the most unsent notifications. */
export async function loadReports(api: Carillon, day: string): Promise<readonly PushTaskReportResponse[]> {
  const { list } = await api.push.task.list({ from: BigInt(Date.parse(day)), limit: TASKS_MAX, counts: true });
  const tasks = list.map(({ task_id, target, sent }) => ({ task_id, unsent: (target ?? 0n) - (sent ?? 0n) }));
  const checked = tasks
    .filter(({ unsent }) => unsent > 0n)
    .sort((one, other) => Number(other.unsent - one.unsent))
    .slice(0, REPORTS_MAX);
  return Promise.all(checked.map(({ task_id }) => api.push.task.report({ task_id })));
}

/** Returns those of the channels on which many notifications are known to have failed. */
export function failuresIn(
  channels: ReadonlySet<ChannelName>,
  reports: readonly Pick<PushTaskReportResponse, 'channels'>[],
): readonly ChannelFailures[] {
  const reported = Map.groupBy(
    reports.flatMap((report) => report.channels),
    ({ channel }) => channel as ChannelName,
  );
  return [...channels]
    .map((channel): ChannelFailures => {
      const ofTasks = reported.get(channel) ?? [];
      const failures = ofTasks.flatMap((task) => task.failures).filter(({ code }) => !uncounted.has(code));
      return {
        kind: 'failures',
        channel,
        target: ofTasks.reduce((sum, { target }) => sum + target, 0n),
        failed: failures.reduce((sum, { count }) => sum + count, 0n),
      };
    })
    .filter(({ target, failed }) => isMany(failed, target));
}
