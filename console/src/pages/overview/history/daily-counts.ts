import type { PushStatisticsDailyResponse } from '../../../../../sdk/src/index.ts';
import type { ChannelName } from '../../../shared/channels.ts';
import { daysBetween } from '../../../shared/days.ts';

type Row = PushStatisticsDailyResponse['list'][number];

export const historyRanges = ['7', '14', '30', '90'] as const;
export type HistoryRange = (typeof historyRanges)[number];

/** A worker refreshes the counters about once a minute. */
const OUTDATED_MS = 5 * 60_000;

/**
 * Returns whether counters were missing in a response at a time of the server. Without tasks and counters, there is
 * nothing to count.
 */
export const areOutdated = (
  { list, counted_at }: Pick<PushStatisticsDailyResponse, 'counted_at'> & { readonly list: readonly unknown[] },
  hasTasks: boolean,
  atMs: number,
): boolean => (hasTasks || list.length > 0) && (counted_at === null || atMs - Number(counted_at) > OUTDATED_MS);

export interface DayCounts {
  /** A day in UTC, such as `2026-11-18`. */
  readonly day: string;
  readonly sent: bigint;
  readonly received: bigint;
}

export interface ChannelCounts {
  readonly channel: ChannelName;
  readonly sent: bigint;
  readonly received: bigint;
}

/** Returns the counters of every day in the range, also of days without tasks. */
export function countsByDay(rows: readonly Row[], from: string, to: string): readonly DayCounts[] {
  return daysBetween(from, to).map((day) => ({ day, ...sumOf(rows.filter((row) => row.day === day)) }));
}

/** Returns the counters of each channel in all days, the largest first. */
export function countsByChannel(rows: readonly Row[]): readonly ChannelCounts[] {
  return [...Map.groupBy(rows, ({ channel }) => channel as ChannelName)]
    .map(([channel, ofChannel]) => ({ channel, ...sumOf(ofChannel) }))
    .sort((one, other) => Number(other.sent - one.sent));
}

const sumOf = (rows: readonly Row[]) => ({
  sent: rows.reduce((sum, { sent }) => sum + sent, 0n),
  received: rows.reduce((sum, { received }) => sum + received, 0n),
});
