import type { Channel, PushStatisticsDailyResponse } from '../../../../sdk/src/index.ts';
import { type ChannelName, channelOf } from '../../shared/channels.ts';
import { expiryOf } from '../credentials/expiry.ts';

/** A throttled channel is listed for this long, because Carillon restores the rate within minutes. */
const THROTTLED_MS = 15 * 60 * 1000;

type DailyCount = Pick<PushStatisticsDailyResponse['list'][number], 'channel' | 'target' | 'sent'>;

/** Something that an operator should look at. */
export type Concern =
  | { readonly kind: 'failures'; readonly channel: ChannelName; readonly target: bigint; readonly failed: bigint }
  | { readonly kind: 'paused'; readonly channel: ChannelName; readonly atMs: bigint; readonly reason: string }
  | {
      readonly kind: 'expired' | 'expires' | 'quota' | 'throttled';
      readonly channel: ChannelName;
      readonly atMs: bigint;
    };

const order: readonly Concern['kind'][] = ['paused', 'expired', 'failures', 'quota', 'expires', 'throttled'];

/** A smaller share of failures is normal, because some vendor tokens are always outdated. */
const FAILED_PERCENT_MIN = 20n;
/** Fewer devices are no trend. */
const TARGET_MIN = 100n;

/** Returns what needs attention, the most urgent first. `counts` are those of the days that are checked for failures. */
export function concernsOf(
  channels: readonly Channel[],
  nowMs: number,
  counts: readonly DailyCount[] = [],
): readonly Concern[] {
  const paused = new Set(channels.filter(({ open }) => !open).map(({ provider }) => channelOf(provider)));
  return [
    ...channels.flatMap((channel) => concernsOfChannel(channel, nowMs)),
    ...failuresIn(counts).filter(({ channel }) => !paused.has(channel)),
  ].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** Returns vendor channels with many failures. A device that is offline is no failure of the Carillon channel. */
function failuresIn(counts: readonly DailyCount[]) {
  return [...Map.groupBy(counts, ({ channel }) => channel as ChannelName)]
    .map(([channel, days]) => {
      const target = days.reduce((sum, day) => sum + day.target, 0n);
      return {
        kind: 'failures' as const,
        channel,
        target,
        failed: target - days.reduce((sum, { sent }) => sum + sent, 0n),
      };
    })
    .filter(
      ({ channel, target, failed }) =>
        channel !== 'nativepush' && target >= TARGET_MIN && failed * 100n >= target * FAILED_PERCENT_MIN,
    );
}

/** Returns the rank of the most urgent concern, or infinity if no operator has to act. A rate recovers without an operator. */
export function urgencyOf(channel: Channel, nowMs: number): number {
  const [first] = concernsOf([channel], nowMs);
  return first && first.kind !== 'throttled' ? order.indexOf(first.kind) : Number.POSITIVE_INFINITY;
}

function concernsOfChannel({ provider, open, closed_at, reason, spent, expire, throttled_at }: Channel, nowMs: number) {
  const channel = channelOf(provider);
  const concerns: Concern[] = spent.map(({ until }) => ({ kind: 'quota', channel, atMs: until }));
  if (!open) concerns.push({ kind: 'paused', channel, atMs: closed_at ?? BigInt(nowMs), reason });
  const expiry = expiryOf(expire, nowMs);
  if (expire !== null && (expiry === 'expired' || expiry === 'soon'))
    concerns.push({ kind: expiry === 'soon' ? 'expires' : 'expired', channel, atMs: expire });
  if (throttled_at !== null && nowMs - Number(throttled_at) < THROTTLED_MS)
    concerns.push({ kind: 'throttled', channel, atMs: throttled_at });
  return concerns;
}
