import type { VendorName } from '#src/domain/channel.ts';
import {
  areCredentialsSuspect,
  evaluateSuspectTokens,
  NO_SUSPECT_TOKENS,
  type SuspectTokenState,
} from '#src/domain/vendor-account/suspect-tokens.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';

const ACCOUNTS_MAX = 10_000;

/** The status of a token in a vendor's receipt. `suspect` means that it may be a valid token of another app. */
export interface ReceiptStatus {
  readonly kind: 'delivered' | 'clicked' | 'token-dead' | 'pending' | 'failed';
  readonly suspect?: true;
}

/**
 * Some vendors accept any token and report a dead token in a receipt. With wrong credentials they would report all
 * tokens as dead. Their reports are therefore used only after a delivery to another device of the same app. This state
 * is lost when the process stops, but vendors report dead tokens again.
 */
export class ReceiptSuspectTokens<T> {
  readonly #states = new BoundedMap<string, SuspectTokenState<T>>(ACCOUNTS_MAX);

  /**
   * Returns the devices whose tokens are certainly dead, and whether this call reached the limit of users with suspect
   * tokens. `userOf` is called only for suspect tokens.
   */
  evaluate(
    { appId, channel }: { readonly appId: string; readonly channel: VendorName },
    receipts: readonly { readonly target: T; readonly status: ReceiptStatus }[],
    userOf: (target: T) => string,
  ): { readonly dead: readonly T[]; readonly isSuspicious: boolean } {
    const key = JSON.stringify([appId, channel]);
    const before = this.#states.get(key) ?? NO_SUSPECT_TOKENS;
    const targetsWhere = (matches: (status: ReceiptStatus) => boolean) =>
      receipts.filter(({ status }) => matches(status)).map(({ target }) => target);
    const suspect = targetsWhere(isSuspectStatus);
    const { dead, state } = evaluateSuspectTokens(before, {
      hasAccepted: receipts.some(({ status }) => status.kind === 'delivered' || status.kind === 'clicked'),
      dead: targetsWhere(({ kind, suspect }) => kind === 'token-dead' && !suspect),
      suspect,
      suspectUsers: suspect.map(userOf),
    });
    if (state.users.size > 0) this.#states.set(key, state);
    else this.#states.delete(key);
    return { dead, isSuspicious: areCredentialsSuspect(state) && !areCredentialsSuspect(before) };
  }
}

export const isSuspectStatus = ({ kind, suspect }: ReceiptStatus): boolean => kind === 'token-dead' && suspect === true;
