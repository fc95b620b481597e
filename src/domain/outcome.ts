/** What a channel says of one attempt to reach one device. Channels answer in these words only. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly channelMessageId: string }
  | DeadToken
  | { readonly kind: 'refused'; readonly reason: string } // our mistake: sending it again changes nothing
  | { readonly kind: 'locked-out'; readonly reason: string } // bad credentials: close the gate, tell the operator
  | QuotaSpent
  | Throttled
  | { readonly kind: 'unreachable'; readonly reason: string }; // no clear answer: try later, it may arrive twice

/** Quarantine the binding, try the next vendor. */
export interface DeadToken {
  readonly kind: 'token-dead';
  readonly reason: string;
  /** Since when the vendor knows it: a binding that is newer than that lives. */
  readonly since?: Date;
  /** It may as well be a good token of another app or environment. Believed when the vendor accepts others meanwhile. */
  readonly suspect?: true;
}

/** Today's allowance is gone: try the next vendor. */
export interface QuotaSpent {
  readonly kind: 'quota-spent';
  readonly until: Date;
  /** Not the account but this device has had its share of the day: others are still reached. */
  readonly device?: true;
}

export interface Throttled {
  readonly kind: 'throttled';
  readonly retryAfterSeconds: number;
  /** Not this device but the whole account is too quick: nothing is sent for it until then. */
  readonly account?: true;
}
