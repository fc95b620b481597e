import type { Channel } from '../../../../sdk/src/index.ts';
import { type ChannelName, channelOf } from '../../shared/channels.ts';
import { expiryOf } from '../credentials/expiry.ts';
import type { ChannelFailures } from './failed-notifications.ts';

/** A throttled channel is listed for this long, because Carillon restores the rate within minutes. */
const THROTTLED_MS = 15 * 60 * 1000;

/** Something that an operator should look at. */
export type Concern =
  | ChannelFailures
  | { readonly kind: 'paused'; readonly channel: ChannelName; readonly atMs: bigint; readonly reason: string }
  | {
      readonly kind: 'expired' | 'expires' | 'quota' | 'throttled';
      readonly channel: ChannelName;
      readonly atMs: bigint;
    };

const order: readonly Concern['kind'][] = ['paused', 'expired', 'failures', 'quota', 'expires', 'throttled'];

/** Returns what needs attention, the most urgent first. A channel with failures that is paused is listed as paused. */
export function concernsOf(
  channels: readonly Channel[],
  nowMs: number,
  failures: readonly ChannelFailures[] = [],
): readonly Concern[] {
  const paused = new Set(channels.filter(({ open }) => !open).map(({ provider }) => channelOf(provider)));
  return [
    ...channels.flatMap((channel) => concernsOfChannel(channel, nowMs)),
    ...failures.filter(({ channel }) => !paused.has(channel)),
  ].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
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
