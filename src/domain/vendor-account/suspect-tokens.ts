import type { DeadToken, Outcome } from '../outcome.ts';

/**
 * Number of consecutive suspect tokens, without an accepted token in between, after which the credentials are probably
 * wrong.
 */
export const SUSPECT_TOKENS_MAX = 20;

/** The suspect tokens of an account since the vendor last accepted one of its tokens. */
export interface SuspectTokenState<T> {
  /** At most `SUSPECT_TOKENS_MAX`. */
  readonly count: number;
  /** Empty once the maximum is reached, because none of these tokens counts as dead later. */
  readonly targets: readonly T[];
}

export const NO_SUSPECT_TOKENS: SuspectTokenState<never> = { count: 0, targets: [] };

/**
 * Reports of a vendor about tokens of one account, from the outcomes of calls or from receipts. Their order is not
 * significant.
 */
export interface TokenReports<T> {
  /** Whether the vendor accepted a token or delivered to it, which shows that the credentials belong to the app. */
  readonly hasAccepted: boolean;
  /** Tokens that are certainly dead. */
  readonly dead: readonly T[];
  /** Tokens that were reported as dead but may be valid tokens of another app. */
  readonly suspect: readonly T[];
}

/**
 * Returns the tokens that are dead, and the next state. If a vendor rejects one token after the other, the credentials
 * most likely have the wrong app ID or environment, and no suspect token counts as dead. One accepted token confirms all
 * reports, including earlier ones.
 */
export function evaluateSuspectTokens<T>(
  { count: countBefore, targets }: SuspectTokenState<T>,
  { hasAccepted, dead, suspect }: TokenReports<T>,
): { readonly dead: readonly T[]; readonly state: SuspectTokenState<T> } {
  if (hasAccepted) return { dead: [...targets, ...suspect, ...dead], state: NO_SUSPECT_TOKENS };
  const count = Math.min(countBefore + suspect.length, SUSPECT_TOKENS_MAX);
  return { dead, state: { count, targets: count < SUSPECT_TOKENS_MAX ? [...targets, ...suspect] : [] } };
}

/**
 * Returns whether an account has reached the maximum number of suspect tokens, which means that its credentials are
 * probably wrong.
 */
export const areCredentialsSuspect = ({ count }: SuspectTokenState<unknown>): boolean => count === SUSPECT_TOKENS_MAX;

export const isSuspect = (outcome: Outcome): outcome is DeadToken & { suspect: true } =>
  outcome.kind === 'token-dead' && outcome.suspect === true;

/** Returns the outcome to apply while the credentials are suspect: the account is locked out, and the token is not dead. */
export const withoutSuspect = (outcome: Outcome): Outcome =>
  isSuspect(outcome) ? { kind: 'locked-out', reason: credentialMismatchReason(outcome.reason) } : outcome;

const credentialMismatchReason = (reason: string): string =>
  `The vendor reported ${SUSPECT_TOKENS_MAX} tokens in a row as invalid or as tokens of another app (${reason}). Check that app_id, package and environment of the credentials match the app on the devices, and that the vendor URL is that of their region.`;
