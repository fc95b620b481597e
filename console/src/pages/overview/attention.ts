import type { Channel } from '../../../../sdk/src/index.ts';
import { type ChannelName, channelOf } from '../../shared/channels.ts';
import { expiryOf } from '../credentials/expiry.ts';
import { obstaclesOf } from '../tasks/funnel-rows.ts';
import type { ChannelFailures } from './failed-notifications.ts';

/** A throttled channel is listed for this long, because Carillon restores the rate within minutes. */
const THROTTLED_MS = 15 * 60 * 1000;

interface CredentialConcern {
  readonly channel: ChannelName;
  /** As in `Channel`: 0 is development. */
  readonly environment: number;
  readonly atMs: bigint;
}

/** Something that an operator should look at. Counters do not separate the environments, so failures have none. */
export type Concern =
  | ChannelFailures
  | (CredentialConcern & { readonly kind: 'paused'; readonly reason: string })
  | (CredentialConcern & { readonly kind: 'quota'; readonly messageClass: string })
  | (CredentialConcern & { readonly kind: 'expired' | 'expires' | 'throttled' });

const order: readonly Concern['kind'][] = ['paused', 'expired', 'failures', 'quota', 'expires', 'throttled'];

/**
 * Returns what needs attention, the most urgent first. A channel with failures that is paused is listed as paused, but
 * the pause of its development credentials does not explain failures in production.
 */
export function concernsOf(
  channels: readonly Channel[],
  nowMs: number,
  failures: readonly ChannelFailures[] = [],
): readonly Concern[] {
  const obstacles = obstaclesOf(channels);
  return [
    ...channels.flatMap((channel) => concernsOfChannel(channel, nowMs)),
    ...failures.filter(({ channel }) => obstacles.get(channel) !== 'paused'),
  ].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** Returns a text that differs for all concerns of a list, and stays the same while a concern lasts. */
export function keyOf(concern: Concern): string {
  if (concern.kind === 'failures') return `${concern.kind} ${concern.channel}`;
  const key = `${concern.kind} ${concern.channel} ${concern.environment}`;
  return concern.kind === 'quota' ? `${key} ${concern.messageClass}` : key;
}

/** Returns the rank of the most urgent concern, or infinity if no operator has to act. A rate recovers without an operator. */
export function urgencyOf(channel: Channel, nowMs: number): number {
  const [first] = concernsOf([channel], nowMs);
  return first && first.kind !== 'throttled' ? order.indexOf(first.kind) : Number.POSITIVE_INFINITY;
}

function concernsOfChannel(
  { provider, environment, open, closed_at, reason, spent, expire, throttled_at }: Channel,
  nowMs: number,
): readonly Concern[] {
  const credentials = { channel: channelOf(provider), environment };
  const concerns = spent.map(
    ({ class: messageClass, until }): Concern => ({ kind: 'quota', ...credentials, messageClass, atMs: until }),
  );
  if (!open) concerns.push({ kind: 'paused', ...credentials, atMs: closed_at ?? BigInt(nowMs), reason });
  const expiry = expiryOf(expire, nowMs);
  if (expire !== null && (expiry === 'expired' || expiry === 'soon'))
    concerns.push({ kind: expiry === 'soon' ? 'expires' : 'expired', ...credentials, atMs: expire });
  if (throttled_at !== null && nowMs - Number(throttled_at) < THROTTLED_MS)
    concerns.push({ kind: 'throttled', ...credentials, atMs: throttled_at });
  return concerns;
}
