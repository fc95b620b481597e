import type { VendorName } from '#src/domain/channel.ts';
import { SUSPECT_TOKENS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';

const ACCOUNTS_MAX = 10_000;

/** What a vendor's receipt says of a token. `doubtful`: it may as well be a good token of another app. */
export interface ReceiptStatus {
  readonly kind: 'delivered' | 'token-dead' | 'pending' | 'failed';
  readonly suspect?: true;
}

interface AccountSuspicion<T> {
  readonly suspectCount: number;
  /** Whose tokens may be dead. They are, once the vendor tells of somebody who has got something. */
  readonly pending: readonly T[];
}

/**
 * Some vendors accept any token, and tell by a receipt that it is dead; those of another app they would all call dead. So
 * they are believed when something has arrived at another phone of the same app. Lost with the process: what is dead is told again.
 */
export class ReceiptSuspectTokens<T> {
  readonly #byAccount = new Map<string, AccountSuspicion<T>>();

  /** Whose tokens are dead for certain, and whether this call has shown that too many are said to be. */
  evaluate(
    { appId, channel }: { readonly appId: string; readonly channel: VendorName },
    receipts: readonly { readonly target: T; readonly status: ReceiptStatus }[],
  ): { readonly dead: readonly T[]; readonly isSuspicious: boolean } {
    const key = JSON.stringify([appId, channel]);
    const before = this.#byAccount.get(key) ?? { suspectCount: 0, pending: [] };
    const calledDead = receipts.filter((entry) => entry.status.kind === 'token-dead');
    const targetsOf = (entries: typeof calledDead) => entries.map(({ target }) => target);
    const [suspects, certainlyDead] = [calledDead.filter(isSuspect), calledDead.filter((entry) => !isSuspect(entry))];
    this.#byAccount.delete(key);
    if (receipts.some((entry) => entry.status.kind === 'delivered'))
      return { dead: [...before.pending, ...targetsOf(calledDead)], isSuspicious: false };
    const suspectCount = Math.min(before.suspectCount + suspects.length, SUSPECT_TOKENS_MAX);
    const isTooMany = suspectCount === SUSPECT_TOKENS_MAX;
    const pending = isTooMany ? [] : [...before.pending, ...targetsOf(suspects)];
    if (suspectCount > 0) this.#byAccount.set(key, { suspectCount, pending });
    if (this.#byAccount.size > ACCOUNTS_MAX) this.#byAccount.delete(this.#byAccount.keys().next().value as string);
    return { dead: targetsOf(certainlyDead), isSuspicious: isTooMany && before.suspectCount < SUSPECT_TOKENS_MAX };
  }
}

const isSuspect = ({ status }: { readonly status: ReceiptStatus }): boolean => status.suspect === true;
