import type { Environment, VendorName } from '../channel.ts';
import type { Outcome } from '../outcome.ts';
import { isSuspect } from './suspect-tokens.ts';

/** Identifies the account of an app at a vendor. Each account has its own circuit breaker. */
export interface AccountKey {
  readonly appId: string;
  readonly channel: VendorName;
  readonly environment: Environment;
}

/** A tripped circuit breaker: the vendor is unavailable or rejects the credentials. */
export interface TrippedBreaker extends AccountKey {
  /** Version of the credentials under which the breaker tripped. The breaker does not apply to other versions. */
  readonly version: number;
  readonly cause: 'locked-out' | 'unreachable';
  readonly reason: string;
  /** The breaker tripped because of suspect tokens. Another suspect token does not reset it. */
  readonly suspect: boolean;
  readonly trippedAt: Date;
  /** From this time on, one call may be sent as a probe. */
  readonly probeAt: Date;
}

/** Number of consecutive outcomes without a clear response after which the vendor counts as unavailable. */
const UNREACHABLE_MAX = 20;

/**
 * The effect of an account's outcomes on its circuit breaker. `unreachableCount` is the number of unreachable outcomes
 * in a row, including these.
 */
export type BreakerVerdict =
  | {
      readonly action: 'trip';
      readonly cause: TrippedBreaker['cause'];
      readonly reason: string;
      readonly suspect: boolean;
      readonly unreachableCount: number;
    }
  /** `reached`: the vendor responded, but only rejected tokens, so the app ID or environment may be wrong. */
  | { readonly action: 'answered' | 'reached' | 'keep'; readonly unreachableCount: number };

export function judgeBreaker(outcomes: readonly Outcome[], unreachableCountBefore: number): BreakerVerdict {
  let unreachableCount = unreachableCountBefore;
  let proof: 'answered' | 'reached' | undefined;
  for (const outcome of outcomes) {
    if (outcome.kind === 'locked-out') {
      const { kind, reason, suspect = false } = outcome;
      return { action: 'trip', cause: kind, reason, suspect, unreachableCount: 0 };
    }
    if (outcome.kind === 'unreachable' && !outcome.device) unreachableCount++;
    else {
      unreachableCount = 0;
      if (isSuspect(outcome) || outcome.kind === 'unreachable') proof ??= 'reached';
      else proof = 'answered';
    }
  }
  if (proof) return { action: proof, unreachableCount };
  const last = outcomes.at(-1);
  if (unreachableCount < UNREACHABLE_MAX || last?.kind !== 'unreachable') return { action: 'keep', unreachableCount };
  return { action: 'trip', cause: 'unreachable', reason: last.reason, suspect: false, unreachableCount };
}

const WAIT_MS_MAX = 5 * 60 * 1_000;

/**
 * Returns the delay until a slice is retried while the breaker is tripped. The delay lasts at least until the next
 * probe and grows with the time since the breaker tripped. Otherwise a backlog of millions of slices would be read
 * every few seconds. Jitter spreads the retries.
 */
export function breakerDelayMs(trippedForMs: number, probeIntervalMs: number, random: () => number): number {
  return Math.ceil(probeIntervalMs + random() * Math.min(WAIT_MS_MAX, Math.max(probeIntervalMs, trippedForMs / 2)));
}
