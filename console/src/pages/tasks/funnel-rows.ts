import type { Channel, PushStatistics, PushTaskReportResponse } from '../../../../sdk/src/index.ts';
import { type ChannelName, channelOf, reportsDelivery } from '../../shared/channels.ts';

/** Counters of a task, for one channel or for all channels together. */
export interface Counters {
  readonly target: bigint;
  readonly sent: bigint;
  readonly received: bigint;
}

export interface FunnelRow extends Counters {
  /** Only the report contains clicks. */
  readonly clicked: bigint;
  readonly channel: ChannelName;
}

/**
 * Returns the used channels, largest first. The statistics are newer than the report, because they are queried more
 * often, but they lack some channels.
 */
export function funnelRows(
  statistics: PushStatistics | undefined,
  report: PushTaskReportResponse | undefined,
): readonly FunnelRow[] {
  const rows = new Map<string, FunnelRow>();
  for (const { channel, target, sent, received, clicked } of report?.channels ?? [])
    rows.set(channel, { channel: channel as ChannelName, target, sent, received, clicked });
  const counters: Readonly<Record<string, bigint | undefined>> = { ...statistics };
  for (const name of Object.keys(counters).filter((key) => key.endsWith('_target'))) {
    const channel = name.slice(0, -'_target'.length) as ChannelName;
    const target = counters[name] ?? 0n;
    const row = {
      channel,
      target,
      sent: counters[`${channel}_sent`] ?? 0n,
      received: counters[`${channel}_received`] ?? 0n,
      clicked: rows.get(channel)?.clicked ?? 0n,
    };
    if (target > 0n) rows.set(channel, row);
  }
  return [...rows.values()].sort((one, other) => Number(other.target - one.target));
}

export function totalOf(rows: readonly Counters[]): Counters {
  const sum = (field: keyof Counters) => rows.reduce((total, row) => total + row[field], 0n);
  return { target: sum('target'), sent: sum('sent'), received: sum('received') };
}

/** Returns whether 0 means "not reported": neither the vendor nor the app reports what was received. */
export const isUnreported = ({ channel, sent, received }: Omit<FunnelRow, 'target' | 'clicked'>): boolean =>
  sent > 0n && received === 0n && !reportsDelivery(channel);

/** Returns the part of a number in percent, at most 100. */
export const percentOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Math.min(100, Number((part * 1000n) / whole) / 10);

/** Why a channel does not send now: it is paused, or its daily quota is used up. */
export type Obstacle = 'paused' | 'quota';

/**
 * Returns the obstacles by channel. If a channel has credentials for both environments, those of production count. A
 * pause comes before a used-up quota, because an operator can end it.
 */
export function obstaclesOf(channels: readonly Channel[]): ReadonlyMap<string, Obstacle> {
  const obstacles = new Map<string, Obstacle>();
  const inProduction = new Set(channels.flatMap(({ provider, environment }) => (environment === 1 ? provider : [])));
  for (const { provider, environment, open, spent } of channels) {
    if (environment !== 1 && inProduction.has(provider)) continue;
    if (!open) obstacles.set(channelOf(provider), 'paused');
    else if (spent.length > 0) obstacles.set(channelOf(provider), 'quota');
  }
  return obstacles;
}
