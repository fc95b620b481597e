import { type Bits, hasBit } from './bits.ts';
import type { Outcome } from './outcome.ts';
import { isOpen, type PlaceStatus, placeStatus, type SliceChannel } from './slice.ts';

/**
 * What a worker has to do with a slice it holds. It follows from the places alone, so whoever takes a slice over from
 * a worker that died goes on where that one stopped.
 */
export type Phase =
  | 'send' // nothing is out yet, or it is in doubt
  | 'settle' // own channel: frames were written and the time to answer is over
  | 'wait' // own channel: places wait in inboxes
  | 'close'; // nothing is open

export function phaseOf(channel: SliceChannel, status: Uint8Array): Phase {
  if (!status.some(isOpen)) return 'close';
  if (channel !== 'nativepush') return 'send';
  if (status.includes(placeStatus.waiting)) return 'wait';
  return status.includes(placeStatus.attempting) ? 'settle' : 'send';
}

/** What a vendor's answer makes of a place. */
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

/** The places that are still open and whose device has not answered. */
export function openPlaces(status: Uint8Array, received: Bits): number[] {
  const places: number[] = [];
  for (let place = 0; place < status.length; place++)
    if (isOpen(status[place] as number) && !hasBit(received, place)) places.push(place);
  return places;
}

/** A vendor could not serve the place: it goes on elsewhere. */
export function needsHandOver(status: number): boolean {
  return status === placeStatus.dead || status === placeStatus.failed || status === placeStatus.fellBack;
}

/** A copy in which every open place that has arrived is *sent*. */
export function withReceivedAsSent(status: Uint8Array, received: Bits): Buffer {
  const copy = Buffer.from(status);
  for (let place = 0; place < copy.length; place++)
    if (isOpen(copy[place] as number) && hasBit(received, place)) copy[place] = placeStatus.sent;
  return copy;
}
