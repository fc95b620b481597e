import { type Bits, hasBit } from './bits.ts';
import type { Outcome } from './outcome.ts';
import { isOpen, type PlaceStatus, placeStatus, type SliceChannel } from './slice.ts';

/**
 * The work that a slice needs from its holder. It follows from the places alone, so a worker that takes over a slice
 * continues where the previous holder stopped.
 */
export type Phase =
  | 'send' // nothing was sent yet, or the result is unknown
  | 'settle' // Carillon channel: frames were written and the acknowledgement timeout has passed
  | 'wait' // Carillon channel: places wait in inboxes
  | 'close'; // no place is open

export function phaseOf(channel: SliceChannel, status: Uint8Array): Phase {
  if (!status.some(isOpen)) return 'close';
  if (channel !== 'nativepush') return 'send';
  if (status.includes(placeStatus.waiting)) return 'wait';
  return status.includes(placeStatus.attempting) ? 'settle' : 'send';
}

/** Returns the status of a place after a vendor response. */
export function statusAfter(outcome: Outcome): PlaceStatus {
  switch (outcome.kind) {
    case 'accepted':
      return placeStatus.sent;
    case 'token-dead':
      return placeStatus.dead;
    case 'refused':
      return placeStatus.failed;
    case 'quota-spent':
      return placeStatus.fellBack;
    case 'locked-out':
    case 'throttled':
    case 'unreachable':
      return placeStatus.retrying;
  }
}

/** Returns the places that are open and whose device has not acknowledged. */
export function openPlaces(status: Uint8Array, received: Bits): number[] {
  const places: number[] = [];
  for (let place = 0; place < status.length; place++)
    if (isOpen(status[place] as number) && !hasBit(received, place)) places.push(place);
  return places;
}

/** Returns whether a vendor could not serve the place, so that it moves to another channel. */
export function needsHandOver(status: number): boolean {
  return status === placeStatus.dead || status === placeStatus.failed || status === placeStatus.fellBack;
}

/** Returns a copy in which every open place with a bit, such as its receipt, is *sent*. */
export function withMarkedAsSent(status: Uint8Array, bits: Bits): Buffer {
  const copy = Buffer.from(status);
  for (let place = 0; place < copy.length; place++)
    if (isOpen(copy[place] as number) && hasBit(bits, place)) copy[place] = placeStatus.sent;
  return copy;
}
