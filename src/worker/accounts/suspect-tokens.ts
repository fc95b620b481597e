import type { DeadToken, Outcome } from '#src/domain/outcome.ts';
import { evaluateSuspectTokens, isSuspect, SUSPECT_TOKENS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import type { BreakerAccount } from './breakers.ts';

const ACCOUNTS_MAX = 10_000;

/** What a worker remembers of an account whose tokens may be foreign. Lost with it: then they are asked about again. */
interface AccountSuspicion<T> {
  readonly suspectCount: number;
  /** Whose tokens may be dead. They are, once the vendor accepts somebody else. */
  readonly pending: readonly DeadTokenReport<T>[];
}

/** Somebody whose token a vendor calls dead. */
export interface DeadTokenReport<T> {
  readonly target: T;
  readonly outcome: DeadToken;
}

/** Keeps a vendor that takes us for another app from ending everybody's tokens. */
export class SuspectTokens<T> {
  readonly #byAccount = new Map<string, AccountSuspicion<T>>();

  /** The answers of an account's round as they are to be taken, and whose tokens are dead for certain. */
  evaluate(
    { appId, channel, environment, version }: BreakerAccount,
    targets: readonly T[],
    rawOutcomes: readonly Outcome[],
  ): { readonly outcomes: readonly Outcome[]; readonly dead: readonly DeadTokenReport<T>[] } {
    const key = JSON.stringify([appId, channel, environment, version]);
    const previous = this.#byAccount.get(key) ?? { suspectCount: 0, pending: [] };
    const { outcomes, isConfirmed, suspectCount } = evaluateSuspectTokens(rawOutcomes, previous.suspectCount);
    const reports = outcomes.flatMap((outcome, i): DeadTokenReport<T>[] =>
      outcome.kind === 'token-dead' ? [{ target: targets[i] as T, outcome }] : [],
    );
    this.#byAccount.delete(key);
    if (isConfirmed) return { outcomes, dead: [...previous.pending, ...reports] };
    const pending =
      suspectCount >= SUSPECT_TOKENS_MAX
        ? []
        : [...previous.pending, ...reports.filter(({ outcome }) => isSuspect(outcome))];
    if (suspectCount > 0) this.#byAccount.set(key, { suspectCount, pending });
    if (this.#byAccount.size > ACCOUNTS_MAX) this.#byAccount.delete(this.#byAccount.keys().next().value as string);
    return { outcomes, dead: reports.filter(({ outcome }) => !isSuspect(outcome)) };
  }
}
