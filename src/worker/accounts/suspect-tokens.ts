import type { DeadToken, Outcome } from '#src/domain/outcome.ts';
import { DOUBTFUL_MAX, isDoubtful, weigh } from '#src/domain/vendor-account/suspect-tokens.ts';
import type { GatedAccount } from './breakers.ts';

const ACCOUNTS_MAX = 10_000;

/** What a worker remembers of an account whose tokens may be foreign. Lost with it: then they are asked about again. */
interface Doubt<T> {
  readonly doubtful: number;
  /** Whose tokens may be dead. They are, once the vendor accepts somebody else. */
  readonly waiting: readonly Dead<T>[];
}

/** Somebody whose token a vendor calls dead. */
export interface Dead<T> {
  readonly who: T;
  readonly outcome: DeadToken;
}

/** Keeps a vendor that takes us for another app from ending everybody's tokens. */
export class Doubts<T> {
  readonly #doubts = new Map<string, Doubt<T>>();

  /** The answers of an account's round as they are to be taken, and whose tokens are dead for certain. */
  weigh(
    { appId, channel, environment, version }: GatedAccount,
    asked: readonly T[],
    answers: readonly Outcome[],
  ): { readonly outcomes: readonly Outcome[]; readonly dead: readonly Dead<T>[] } {
    const key = JSON.stringify([appId, channel, environment, version]);
    const before = this.#doubts.get(key) ?? { doubtful: 0, waiting: [] };
    const { outcomes, isBelieved, doubtful } = weigh(answers, before.doubtful);
    const called = outcomes.flatMap((outcome, i): Dead<T>[] =>
      outcome.kind === 'token-dead' ? [{ who: asked[i] as T, outcome }] : [],
    );
    this.#doubts.delete(key);
    if (isBelieved) return { outcomes, dead: [...before.waiting, ...called] };
    const waiting =
      doubtful >= DOUBTFUL_MAX ? [] : [...before.waiting, ...called.filter(({ outcome }) => isDoubtful(outcome))];
    if (doubtful > 0) this.#doubts.set(key, { doubtful, waiting });
    if (this.#doubts.size > ACCOUNTS_MAX) this.#doubts.delete(this.#doubts.keys().next().value as string);
    return { outcomes, dead: called.filter(({ outcome }) => !isDoubtful(outcome)) };
  }
}
