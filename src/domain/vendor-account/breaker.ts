import type { Environment, Vendor } from '../channel.ts';
import type { Outcome } from '../outcome.ts';
import { isDoubtful } from './suspect-tokens.ts';

/** An app's account at a vendor, as far as its gate is concerned. */
export interface GateKey {
  readonly appId: string;
  readonly channel: Vendor;
  readonly environment: Environment;
}

/** A closed gate: the vendor is away, or refuses the credentials. */
export interface Gate extends GateKey {
  /** Of the certificate it was closed under. Another one has not been refused yet. */
  readonly version: number;
  readonly why: 'locked-out' | 'unreachable';
  readonly reason: string;
  readonly closedAt: Date;
  /** One call may be tried from then on. */
  readonly probeAt: Date;
}

/** So many times in a row without a clear answer, and the vendor counts as away. */
const UNREACHABLE_MAX = 20;

/** What the answers of one account say about its gate. `unreachable`: how many were so in a row, these included. */
export type Verdict =
  | { readonly gate: 'close'; readonly why: Gate['why']; readonly reason: string; readonly unreachable: number }
  /** `reached`: it is there, but has not yet taken anything of ours. */
  | { readonly gate: 'answered' | 'reached' | 'leave'; readonly unreachable: number };

export function judge(outcomes: readonly Outcome[], unreachableBefore: number): Verdict {
  let unreachable = unreachableBefore;
  let proof: 'answered' | 'reached' | undefined;
  for (const outcome of outcomes) {
    if (outcome.kind === 'locked-out')
      return { gate: 'close', why: 'locked-out', reason: outcome.reason, unreachable: 0 };
    if (outcome.kind === 'unreachable') unreachable++;
    else {
      unreachable = 0;
      if (!isDoubtful(outcome)) proof = 'answered';
      else proof ??= 'reached';
    }
  }
  if (proof) return { gate: proof, unreachable };
  const last = outcomes.at(-1);
  if (unreachable < UNREACHABLE_MAX || last?.kind !== 'unreachable') return { gate: 'leave', unreachable };
  return { gate: 'close', why: 'unreachable', reason: last.reason, unreachable };
}

const WAIT_MS_MAX = 5 * 60 * 1_000;

/**
 * When a slice behind a closed gate is looked at again. Not before the next probe, and the longer the gate has been closed
 * the more rarely: a backlog of millions must not be turned over every few seconds. Spread, so that it does not come back
 * as one.
 */
export function gatedInMs(closedForMs: number, probeMs: number, random: () => number): number {
  return Math.ceil(probeMs + random() * Math.min(WAIT_MS_MAX, Math.max(probeMs, closedForMs / 2)));
}
