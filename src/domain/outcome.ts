/** The result of one attempt to reach one device. Channels report no other results. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly channelMessageId: string }
  | DeadToken
  | { readonly kind: 'refused'; readonly reason: string } // the request is invalid: a retry would fail again
  | LockedOut
  | QuotaSpent
  | Throttled
  | Unreachable;

/** No clear response: retry later. The device may receive the notification twice. */
export interface Unreachable {
  readonly kind: 'unreachable';
  readonly reason: string;
  /** The vendor responded, and failed only for this device. Other devices can still be reached. */
  readonly device?: true;
}

/** Bad credentials: trip the circuit breaker and alert the operator. */
export interface LockedOut {
  readonly kind: 'locked-out';
  readonly reason: string;
  /** The vendor did not reject the credentials, but the tokens of many users. */
  readonly suspect?: true;
}

/** The vendor reports the token as invalid: end the binding and try the next vendor. */
export interface DeadToken {
  readonly kind: 'token-dead';
  readonly reason: string;
  /** The time since which the vendor has considered the token invalid. A newer binding stays valid. */
  readonly since?: Date;
  /**
   * The token may be a valid token of another app or environment. It counts as dead if the vendor accepts other tokens
   * at the same time.
   */
  readonly suspect?: true;
}

/** The daily quota is used up: try the next vendor. */
export interface QuotaSpent {
  readonly kind: 'quota-spent';
  readonly until: Date;
  /** The quota of this device is used up, not the quota of the account. Other devices can still be reached. */
  readonly device?: true;
}

export interface Throttled {
  readonly kind: 'throttled';
  readonly retryAfterSeconds: number;
  /**
   * The whole account exceeds its rate limit, not only this device. Nothing is sent for the account until the retry
   * time.
   */
  readonly account?: true;
}
