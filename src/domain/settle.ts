import type { Bits } from './bits.ts';
import { isUnserved, openPlaces, statusAfter, withArrivals } from './ledger.ts';
import type { Outcome } from './outcome.ts';
import type { Route } from './routing.ts';
import { isOpen, type PlaceStatus, placeStatus, type SliceState } from './slice.ts';
import { type Said, saidByVendor } from './trace/trace-events.ts';

/** The places of a slice as its holder knows them. */
export interface HeldPlaces {
  readonly status: Uint8Array;
  readonly received: Bits;
}

/**
 * Who is tried now. Before a vendor is called, so that after a crash exactly these are in doubt; on the own channel, what
 * was written or perhaps written, whose devices have a moment to answer. The vendor may have taken others meanwhile.
 */
export function afterAttempt(held: HeldPlaces, places: Iterable<number>, accepted: Iterable<number> = []): Buffer {
  const status = withArrivals(held.status, held.received);
  for (const place of places) status[place] = placeStatus.attempting;
  for (const place of accepted) status[place] = placeStatus.sent;
  return status;
}

/** What is known of a place after a vendor was to be asked about it. */
export type Answer =
  | Outcome
  | 'late' // its time is over
  | 'unbound' // the device has no token there any more, or is somebody else's
  | 'gated' // the vendor is not asked at present, and nothing changes
  | 'paced'; // the account may not be quicker just now, and nothing changes

export const isAccepted = (answer: Answer): boolean => typeof answer === 'object' && answer.kind === 'accepted';

/** What came of calling a vendor. */
export interface VendorSettled {
  readonly status: Buffer;
  /** The vendor took these. */
  readonly accepted: readonly number[];
  /** These go on elsewhere, at once, even while others are tried again. */
  readonly unserved: readonly number[];
  readonly state: Extract<SliceState, 'ready' | 'closed'>;
  /** In its own words. */
  readonly said: readonly Said[];
}

/** Everything is answered that was open. */
export function afterAnswers(held: HeldPlaces, answers: ReadonlyMap<number, Answer>): VendorSettled {
  const status = withArrivals(held.status, held.received);
  const open = openPlaces(held.status, held.received);
  for (const place of open) status[place] = statusOf(answers.get(place) ?? 'gated', status[place] as PlaceStatus);
  return {
    status,
    accepted: [...answers].flatMap(([place, answer]) => (isAccepted(answer) ? [place] : [])),
    unserved: open.filter((place) => isUnserved(status[place] as number)),
    state: status.some(isOpen) ? 'ready' : 'closed',
    said: saidByVendor(answers, open),
  };
}

function statusOf(answer: Answer, before: PlaceStatus): PlaceStatus {
  switch (answer) {
    case 'late':
      return placeStatus.expired;
    case 'unbound':
      return placeStatus.dead;
    case 'gated':
    case 'paced':
      return before;
    default:
      return statusAfter(answer);
  }
}

/**
 * The time to acknowledge is over on the own channel. Who answered is *sent*; the silent go where their route says, and
 * one without a route has changed hands.
 */
export function afterSilence(held: HeldPlaces, routes: ReadonlyMap<number, Route | undefined>): Buffer {
  const status = withArrivals(held.status, held.received);
  for (const [place, route] of routes) {
    if (!route) status[place] = placeStatus.skipped;
    else if (route.waits) status[place] = placeStatus.waiting;
    else status[place] = route.channel === 'none' ? placeStatus.failed : placeStatus.fellBack;
  }
  return status;
}

/** What was found of a place when its time in the inbox was over. */
export type Leftover =
  | 'kept' // the message still lies there
  | 'lost' // it had to make room for newer ones
  | 'foreign'; // the device has changed hands

/** Waiting is over: who has not answered by now will not get it any more. */
export function afterWaiting(held: HeldPlaces, leftovers: ReadonlyMap<number, Leftover>): Buffer {
  const status = withArrivals(held.status, held.received);
  for (const [place, leftover] of leftovers) status[place] = ENDS[leftover];
  return status;
}

const ENDS = { kept: placeStatus.expired, lost: placeStatus.failed, foreign: placeStatus.skipped } as const;

/**
 * The task was cancelled, and nothing new is begun. What was out when nobody held the slice any more is not sent again:
 * it stays *cancelled* unless its device has answered, and whatever the vendor said of it is in the sent bits.
 */
export function afterCancel(held: HeldPlaces): Buffer {
  const status = withArrivals(held.status, held.received);
  for (const place of openPlaces(held.status, held.received)) status[place] = placeStatus.cancelled;
  return status;
}
