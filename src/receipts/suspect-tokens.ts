import type { Vendor } from '#src/domain/channel.ts';
import { DOUBTFUL_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';

const ACCOUNTS_MAX = 10_000;

/** What a vendor's receipt says of a token. `doubtful`: it may as well be a good token of another app. */
export interface ToldToken {
  readonly kind: 'delivered' | 'token-dead' | 'pending' | 'failed';
  readonly doubtful?: true;
}

interface Doubt<T> {
  readonly doubtful: number;
  /** Whose tokens may be dead. They are, once the vendor tells of somebody who has got something. */
  readonly waiting: readonly T[];
}

/**
 * Some vendors accept any token, and tell by a receipt that it is dead; those of another app they would all call dead. So
 * they are believed when something has arrived at another phone of the same app. Lost with the process: what is dead is told again.
 */
export class DoubtedReceipts<T> {
  readonly #doubts = new Map<string, Doubt<T>>();

  /** Whose tokens are dead for certain, and whether this call has shown that too many are said to be. */
  weigh(
    { appId, channel }: { readonly appId: string; readonly channel: Vendor },
    told: readonly { readonly who: T; readonly told: ToldToken }[],
  ): { readonly dead: readonly T[]; readonly isSuspicious: boolean } {
    const key = JSON.stringify([appId, channel]);
    const before = this.#doubts.get(key) ?? { doubtful: 0, waiting: [] };
    const called = told.filter((one) => one.told.kind === 'token-dead');
    const whoOf = (some: typeof called) => some.map(({ who }) => who);
    const [doubted, certain] = [called.filter(isDoubtful), called.filter((one) => !isDoubtful(one))];
    this.#doubts.delete(key);
    if (told.some((one) => one.told.kind === 'delivered'))
      return { dead: [...before.waiting, ...whoOf(called)], isSuspicious: false };
    const doubtful = Math.min(before.doubtful + doubted.length, DOUBTFUL_MAX);
    const isTooMany = doubtful === DOUBTFUL_MAX;
    const waiting = isTooMany ? [] : [...before.waiting, ...whoOf(doubted)];
    if (doubtful > 0) this.#doubts.set(key, { doubtful, waiting });
    if (this.#doubts.size > ACCOUNTS_MAX) this.#doubts.delete(this.#doubts.keys().next().value as string);
    return { dead: whoOf(certain), isSuspicious: isTooMany && before.doubtful < DOUBTFUL_MAX };
  }
}

const isDoubtful = ({ told }: { readonly told: ToldToken }): boolean => told.doubtful === true;
