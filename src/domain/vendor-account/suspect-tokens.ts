import type { DeadToken, Outcome } from '../outcome.ts';

/** So many tokens in a row that may be another app's, and nothing accepted between them: it is us who are wrong. */
export const DOUBTFUL_MAX = 20;

/** What a round of an account's answers is worth. */
export interface Weighed {
  readonly outcomes: readonly Outcome[];
  /** The vendor takes our notifications, so what it says of single tokens is true, of earlier ones as well. */
  readonly isBelieved: boolean;
  /** How many were doubtful in a row, these included. */
  readonly doubtful: number;
}

export const isDoubtful = (outcome: Outcome): outcome is DeadToken & { doubtful: true } =>
  outcome.kind === 'token-dead' && outcome.doubtful === true;

/**
 * A vendor that calls one token after the other foreign most likely has the wrong app id or environment before it. Then it
 * is the account that is refused, and nobody's token is dead. Answers of a round come in no order, so one that is
 * accepted speaks for all.
 */
export function weigh(outcomes: readonly Outcome[], doubtfulBefore: number): Weighed {
  if (outcomes.some(({ kind }) => kind === 'accepted')) return { outcomes, isBelieved: true, doubtful: 0 };
  const doubtful = doubtfulBefore + outcomes.filter(isDoubtful).length;
  if (doubtful < DOUBTFUL_MAX) return { outcomes, isBelieved: false, doubtful };
  return {
    outcomes: outcomes.map((outcome) =>
      isDoubtful(outcome) ? { kind: 'locked-out', reason: suspicion(outcome.reason) } : outcome,
    ),
    isBelieved: false,
    doubtful: DOUBTFUL_MAX,
  };
}

const suspicion = (reason: string): string =>
  `${DOUBTFUL_MAX} tokens in a row are said to be dead or of another app (${reason}). Check that app_id, package and environment of the certificate are those of the app on the phones, and that the address of the vendor is that of their region.`;
