/** What a channel says of one attempt to reach one device. Channels answer in these words only. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly channelMessageId: string }
  | { readonly kind: 'token-dead'; readonly reason: string } // quarantine the binding, try the next vendor
  | { readonly kind: 'refused'; readonly reason: string } // our mistake: sending it again changes nothing
  | { readonly kind: 'locked-out'; readonly reason: string } // bad credentials: close the gate, tell the operator
  | { readonly kind: 'quota-spent'; readonly until: Date } // today's allowance is gone: try the next vendor
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unreachable'; readonly reason: string }; // no clear answer: try later, it may arrive twice
