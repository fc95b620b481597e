import type { DeadToken, Outcome } from '../outcome.ts';

/** So many tokens in a row that may be another app's, and nothing accepted between them: it is us who are wrong. */
export const SUSPECT_TOKENS_MAX = 20;

/** What a round of an account's answers is worth. */
export interface SuspectTokenEvaluation {
  readonly outcomes: readonly Outcome[];
  /** The vendor takes our notifications, so what it says of single tokens is true, of earlier ones as well. */
  readonly isConfirmed: boolean;
  /** How many were doubtful in a row, these included. */
  readonly suspectCount: number;
}

export const isSuspect = (outcome: Outcome): outcome is DeadToken & { suspect: true } =>
  outcome.kind === 'token-dead' && outcome.suspect === true;

/**
 * A vendor that calls one token after the other foreign most likely has the wrong app id or environment before it. Then it
 * is the account that is refused, and nobody's token is dead. Answers of a round come in no order, so one that is
 * accepted speaks for all.
 */
export function evaluateSuspectTokens(
  outcomes: readonly Outcome[],
  suspectCountBefore: number,
): SuspectTokenEvaluation {
  if (outcomes.some(({ kind }) => kind === 'accepted')) return { outcomes, isConfirmed: true, suspectCount: 0 };
  const suspectCount = suspectCountBefore + outcomes.filter(isSuspect).length;
  if (suspectCount < SUSPECT_TOKENS_MAX) return { outcomes, isConfirmed: false, suspectCount };
  return {
    outcomes: outcomes.map((outcome) =>
      isSuspect(outcome) ? { kind: 'locked-out', reason: credentialMismatchReason(outcome.reason) } : outcome,
    ),
    isConfirmed: false,
    suspectCount: SUSPECT_TOKENS_MAX,
  };
}

const credentialMismatchReason = (reason: string): string =>
  `${SUSPECT_TOKENS_MAX} tokens in a row are said to be dead or of another app (${reason}). Check that app_id, package and environment of the certificate are those of the app on the phones, and that the address of the vendor is that of their region.`;
