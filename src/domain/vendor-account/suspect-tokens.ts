import type { DeadToken, Outcome } from '../outcome.ts';

/**
 * Number of users with suspect tokens in a row, without an accepted token in between, after which the credentials are
 * probably wrong. Users are counted, not tokens, because one user can register any number of invalid tokens.
 */
export const SUSPECT_USERS_MAX = 20;

/** At most this many suspect tokens are kept per account. The vendor reports a forgotten token again. */
const SUSPECT_TARGETS_MAX = 20;

/** The suspect tokens of an account since the vendor last accepted one of its tokens. */
export interface SuspectTokenState<T> {
  /** The users of the tokens. At most `SUSPECT_USERS_MAX`. */
  readonly users: ReadonlySet<string>;
  /** Empty once the maximum is reached, because none of these tokens counts as dead later. */
  readonly targets: readonly T[];
}

export const NO_SUSPECT_TOKENS: SuspectTokenState<never> = { users: new Set(), targets: [] };

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
  /** The users of the suspect tokens that count. */
  readonly suspectUsers: readonly string[];
}

/**
 * Returns the tokens that are dead, and the next state. If a vendor rejects the tokens of one user after the other, the
 * credentials most likely have the wrong app ID or environment, and no suspect token counts as dead. One accepted token
 * confirms all reports, including earlier ones.
 */
export function evaluateSuspectTokens<T>(
  before: SuspectTokenState<T>,
  { hasAccepted, dead, suspect, suspectUsers }: TokenReports<T>,
): { readonly dead: readonly T[]; readonly state: SuspectTokenState<T> } {
  if (hasAccepted) return { dead: [...before.targets, ...suspect, ...dead], state: NO_SUSPECT_TOKENS };
  const users = new Set([...new Set([...before.users, ...suspectUsers])].slice(0, SUSPECT_USERS_MAX));
  const targets = [...before.targets, ...suspect].slice(-SUSPECT_TARGETS_MAX);
  return { dead, state: { users, targets: users.size < SUSPECT_USERS_MAX ? targets : [] } };
}

/**
 * Returns whether an account has reached the maximum number of users with suspect tokens, which means that its
 * credentials are probably wrong.
 */
export const areCredentialsSuspect = ({ users }: SuspectTokenState<unknown>): boolean =>
  users.size === SUSPECT_USERS_MAX;

export const isSuspect = (outcome: Outcome): outcome is DeadToken & { suspect: true } =>
  outcome.kind === 'token-dead' && outcome.suspect === true;

/** Returns the outcome to apply while the credentials are suspect: the account is locked out, and the token is not dead. */
export const withoutSuspect = (outcome: Outcome): Outcome =>
  isSuspect(outcome)
    ? { kind: 'locked-out', reason: credentialMismatchReason(outcome.reason), suspect: true }
    : outcome;

const credentialMismatchReason = (reason: string): string =>
  `The vendor reported the tokens of ${SUSPECT_USERS_MAX} users in a row as invalid or as tokens of another app (${reason}). Check that app_id, package and environment of the credentials match the app on the devices, and that the vendor URL is that of their region.`;
