import type { Bits } from './bits.ts';
import type { Outcome } from './outcome.ts';

/** The places of a slice as its holder knows them. */
export interface PlacesSnapshot {
  readonly status: Uint8Array;
  readonly received: Bits;
}

/** What is known of a place after a vendor was to be asked about it. */
export type PlaceOutcome =
  | Outcome
  | 'late' // its time is over
  | 'unbound' // the device has no token there any more, or is somebody else's
  | 'breaker-open' // the vendor is not asked at present, and nothing changes
  | 'rate-limited'; // the account may not be quicker just now, and nothing changes

export const isAccepted = (outcome: PlaceOutcome): boolean =>
  typeof outcome === 'object' && outcome.kind === 'accepted';

/** What was found of a place when its time in the inbox was over. */
export type InboxEnd =
  | 'kept' // the message still lies there
  | 'lost' // it had to make room for newer ones
  | 'foreign'; // the device has changed hands
