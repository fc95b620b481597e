import type { DeadToken, Outcome } from '#src/domain/outcome.ts';
import { accountKey } from '#src/domain/vendor-account/account-key.ts';
import {
  areCredentialsSuspect,
  evaluateSuspectTokens,
  isSuspect,
  NO_SUSPECT_TOKENS,
  type SuspectTokenState,
  withoutSuspect,
} from '#src/domain/vendor-account/suspect-tokens.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { BreakerAccount } from './breakers.ts';

const ACCOUNTS_MAX = 10_000;

/** A target whose token a vendor reports as dead. */
export interface DeadTokenReport<T> {
  readonly target: T;
  readonly outcome: DeadToken;
}

/** Prevents mismatched credentials, with which a vendor rejects every token, from ending all bindings. */
export class SuspectTokens<T> {
  readonly #countedUserOf: (target: T) => string | undefined;
  /** Kept in memory only: after a restart, the vendor reports the tokens again. */
  readonly #states = new BoundedMap<string, SuspectTokenState<DeadTokenReport<T>>>(ACCOUNTS_MAX);

  /** `countedUserOf` returns the user of a suspect token, or undefined if the token does not count. */
  constructor(countedUserOf: (target: T) => string | undefined) {
    this.#countedUserOf = countedUserOf;
  }

  /**
   * Returns the outcomes to apply for one round of an account, and the targets whose tokens are certainly dead. A probe
   * follows a tripped breaker, whose cause may also explain the suspect tokens until then. If the vendor accepts the
   * probe, they therefore do not count as dead.
   */
  evaluate(
    account: BreakerAccount,
    targets: readonly T[],
    outcomes: readonly Outcome[],
    { isProbe = false } = {},
  ): { readonly outcomes: readonly Outcome[]; readonly dead: readonly DeadTokenReport<T>[] } {
    const key = stateKey(account);
    const reports = outcomes.flatMap((outcome, i): DeadTokenReport<T>[] =>
      outcome.kind === 'token-dead' ? [{ target: targets[i] as T, outcome }] : [],
    );
    const suspect = reports.filter(({ outcome }) => isSuspect(outcome));
    const before = this.#states.get(key) ?? NO_SUSPECT_TOKENS;
    const { dead, state } = evaluateSuspectTokens(isProbe ? { ...before, targets: [] } : before, {
      hasAccepted: outcomes.some(({ kind }) => kind === 'accepted'),
      dead: reports.filter(({ outcome }) => !isSuspect(outcome)),
      suspect,
      suspectUsers: suspect.map(({ target }) => this.#countedUserOf(target)).filter((user) => user !== undefined),
    });
    if (state.users.size + state.targets.length > 0) this.#states.set(key, state);
    else this.#states.delete(key);
    if (!areCredentialsSuspect(state)) return { outcomes, dead };
    const isCounted = (i: number) => this.#countedUserOf(targets[i] as T) !== undefined;
    return { outcomes: outcomes.map((outcome, i) => (isCounted(i) ? withoutSuspect(outcome) : outcome)), dead };
  }

  /** Returns whether the suspect tokens of an account include a token of this user. */
  includesUser(account: BreakerAccount, user: string): boolean {
    return this.#states.get(stateKey(account))?.users.has(user) ?? false;
  }
}

const stateKey = (account: BreakerAccount): string => `${accountKey(account)} ${account.version}`;
