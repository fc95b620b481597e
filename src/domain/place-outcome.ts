import type { Bits } from './bits.ts';
import type { Outcome } from './outcome.ts';

/** The places of a slice, as its holder has read them. */
export interface PlacesSnapshot {
  readonly status: Uint8Array;
  readonly received: Bits;
}

/** The result for a place for which a vendor call was due. */
export type PlaceOutcome =
  | Outcome
  | 'expired' // the notification has expired
  | 'unbound' // the device no longer has a token at this vendor, or has another owner
  | 'breaker-open' // the circuit breaker is open, and nothing changes
  | 'rate-limited'; // the account has reached its rate limit, and nothing changes

export const isAccepted = (outcome: PlaceOutcome): boolean =>
  typeof outcome === 'object' && outcome.kind === 'accepted';

/** The state of a place when its time in the inbox is over. */
export type InboxEnd =
  | 'kept' // the notification was in the inbox until it expired
  | 'lost' // newer notifications displaced the notification
  | 'foreign'; // the device was logged out
