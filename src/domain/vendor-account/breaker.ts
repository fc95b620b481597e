import type { Environment, VendorName } from '../channel.ts';
import type { Outcome } from '../outcome.ts';
import { isSuspect } from './suspect-tokens.ts';

/** An app's account at a vendor, as far as its gate is concerned. */
export interface AccountKey {
  readonly appId: string;
  readonly channel: VendorName;
  readonly environment: Environment;
}

/** A closed gate: the vendor is away, or refuses the credentials. */
export interface TrippedBreaker extends AccountKey {
  /** Of the certificate it was closed under. Another one has not been refused yet. */
  readonly version: number;
  readonly cause: 'locked-out' | 'unreachable';
  readonly reason: string;
  readonly trippedAt: Date;
  /** One call may be tried from then on. */
  readonly probeAt: Date;
}

/** So many times in a row without a clear answer, and the vendor counts as away. */
const UNREACHABLE_MAX = 20;

/** What the answers of one account say about its gate. `unreachable`: how many were so in a row, these included. */
export type BreakerVerdict =
  | {
      readonly action: 'trip';
      readonly cause: TrippedBreaker['cause'];
      readonly reason: string;
      readonly unreachableCount: number;
    }
  /** `reached`: it is there, but has not yet taken anything of ours. */
  | { readonly action: 'answered' | 'reached' | 'keep'; readonly unreachableCount: number };

export function judgeBreaker(outcomes: readonly Outcome[], unreachableCountBefore: number): BreakerVerdict {
  let unreachableCount = unreachableCountBefore;
  let proof: 'answered' | 'reached' | undefined;
  for (const outcome of outcomes) {
    if (outcome.kind === 'locked-out')
      return { action: 'trip', cause: 'locked-out', reason: outcome.reason, unreachableCount: 0 };
    if (outcome.kind === 'unreachable') unreachableCount++;
    else {
      unreachableCount = 0;
      if (!isSuspect(outcome)) proof = 'answered';
      else proof ??= 'reached';
    }
  }
  if (proof) return { action: proof, unreachableCount };
  const last = outcomes.at(-1);
  if (unreachableCount < UNREACHABLE_MAX || last?.kind !== 'unreachable') return { action: 'keep', unreachableCount };
  return { action: 'trip', cause: 'unreachable', reason: last.reason, unreachableCount };
}

const WAIT_MS_MAX = 5 * 60 * 1_000;

/**
 * When a slice behind a closed gate is looked at again. Not before the next probe, and the longer the gate has been closed
 * the more rarely: a backlog of millions must not be turned over every few seconds. Spread, so that it does not come back
 * as one.
 */
export function breakerDelayMs(trippedForMs: number, probeIntervalMs: number, random: () => number): number {
  return Math.ceil(probeIntervalMs + random() * Math.min(WAIT_MS_MAX, Math.max(probeIntervalMs, trippedForMs / 2)));
}
