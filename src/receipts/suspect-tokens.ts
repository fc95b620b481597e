import type { VendorName } from '#src/domain/channel.ts';
import {
  areCredentialsSuspect,
  evaluateSuspectTokens,
  NO_SUSPECT_TOKENS,
  type SuspectTokenState,
} from '#src/domain/vendor-account/suspect-tokens.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';

const ACCOUNTS_MAX = 10_000;

/** What a vendor's receipt says of a token. `doubtful`: it may as well be a good token of another app. */
export interface ReceiptStatus {
  readonly kind: 'delivered' | 'token-dead' | 'pending' | 'failed';
  readonly suspect?: true;
}

/**
 * Some vendors accept any token, and tell by a receipt that it is dead; those of another app they would all call dead. So
 * they are believed when something has arrived at another phone of the same app. Lost with the process: what is dead is told again.
 */
export class ReceiptSuspectTokens<T> {
  readonly #states = new BoundedMap<string, SuspectTokenState<T>>(ACCOUNTS_MAX);

  /** Whose tokens are dead for certain, and whether this call has shown that too many are said to be. */
  evaluate(
    { appId, channel }: { readonly appId: string; readonly channel: VendorName },
    receipts: readonly { readonly target: T; readonly status: ReceiptStatus }[],
  ): { readonly dead: readonly T[]; readonly isSuspicious: boolean } {
    const key = JSON.stringify([appId, channel]);
    const before = this.#states.get(key) ?? NO_SUSPECT_TOKENS;
    const targetsWhere = (matches: (status: ReceiptStatus) => boolean) =>
      receipts.filter(({ status }) => matches(status)).map(({ target }) => target);
    const { dead, state } = evaluateSuspectTokens(before, {
      hasAccepted: receipts.some(({ status }) => status.kind === 'delivered'),
      dead: targetsWhere(({ kind, suspect }) => kind === 'token-dead' && !suspect),
      suspect: targetsWhere(({ kind, suspect }) => kind === 'token-dead' && suspect === true),
    });
    if (state.count > 0) this.#states.set(key, state);
    else this.#states.delete(key);
    return { dead, isSuspicious: areCredentialsSuspect(state) && !areCredentialsSuspect(before) };
  }
}
