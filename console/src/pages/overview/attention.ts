import type { Channel } from '../../../../sdk/src/index.ts';
import { type ChannelName, channelOf } from '../../shared/channels.ts';
import { expiryOf } from '../credentials/expiry.ts';

/** A throttled channel is listed for this long, because Carillon restores the rate within minutes. */
const THROTTLED_MS = 15 * 60 * 1000;

/** Something that an operator should look at. */
export type Concern =
  | { readonly kind: 'paused'; readonly channel: ChannelName; readonly atMs: bigint; readonly reason: string }
  | {
      readonly kind: 'expired' | 'expires' | 'quota' | 'throttled';
      readonly channel: ChannelName;
      readonly atMs: bigint;
    };

const order: readonly Concern['kind'][] = ['paused', 'expired', 'quota', 'expires', 'throttled'];

/** Returns what needs attention, the most urgent first. */
export function concernsOf(channels: readonly Channel[], nowMs: number): readonly Concern[] {
  return channels
    .flatMap((channel) => concernsOfChannel(channel, nowMs))
    .sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
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
