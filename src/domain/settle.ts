import { needsHandOver, openPlaces, statusAfter, withReceivedAsSent } from './ledger.ts';
import { type InboxEnd, isAccepted, type PlaceOutcome, type PlacesSnapshot } from './place-outcome.ts';
import type { Route } from './routing.ts';
import { isOpen, type PlaceStatus, placeStatus, type SliceState } from './slice.ts';
import { type TraceEvent, vendorEvents } from './trace/trace-events.ts';

/**
 * Who is tried now. Before a vendor is called, so that after a crash exactly these are in doubt; on the own channel, what
 * was written or perhaps written, whose devices have a moment to answer. The vendor may have taken others meanwhile.
 */
export function markAttempting(
  snapshot: PlacesSnapshot,
  places: Iterable<number>,
  accepted: Iterable<number> = [],
): Buffer {
  const status = withReceivedAsSent(snapshot.status, snapshot.received);
  for (const place of places) status[place] = placeStatus.attempting;
  for (const place of accepted) status[place] = placeStatus.sent;
  return status;
}

/** What came of calling a vendor. */
export interface VendorSettlement {
  readonly status: Buffer;
  /** The vendor took these. */
  readonly accepted: readonly number[];
  /** These go on elsewhere, at once, even while others are tried again. */
  readonly toHandOver: readonly number[];
  readonly state: Extract<SliceState, 'ready' | 'closed'>;
  /** In its own words. */
  readonly events: readonly TraceEvent[];
}

/** Everything is answered that was open. */
export function applyOutcomes(snapshot: PlacesSnapshot, outcomes: ReadonlyMap<number, PlaceOutcome>): VendorSettlement {
  const status = withReceivedAsSent(snapshot.status, snapshot.received);
  const open = openPlaces(snapshot.status, snapshot.received);
  for (const place of open)
    status[place] = statusOf(outcomes.get(place) ?? 'breaker-open', status[place] as PlaceStatus);
  return {
    status,
    accepted: [...outcomes].flatMap(([place, outcome]) => (isAccepted(outcome) ? [place] : [])),
    toHandOver: open.filter((place) => needsHandOver(status[place] as number)),
    state: status.some(isOpen) ? 'ready' : 'closed',
    events: vendorEvents(outcomes, open),
  };
}

function statusOf(outcome: PlaceOutcome, current: PlaceStatus): PlaceStatus {
  switch (outcome) {
    case 'late':
      return placeStatus.expired;
    case 'unbound':
      return placeStatus.dead;
    case 'breaker-open':
    case 'rate-limited':
      return current;
    default:
      return statusAfter(outcome);
  }
}

/**
 * The time to acknowledge is over on the own channel. Who answered is *sent*; the silent go where their route says, and
 * one without a route has changed hands.
 */
export function applyAckTimeout(snapshot: PlacesSnapshot, routes: ReadonlyMap<number, Route | undefined>): Buffer {
  const status = withReceivedAsSent(snapshot.status, snapshot.received);
  for (const [place, route] of routes) {
    if (!route) status[place] = placeStatus.skipped;
    else if (route.toInbox) status[place] = placeStatus.waiting;
    else status[place] = route.channel === 'none' ? placeStatus.failed : placeStatus.fellBack;
  }
  return status;
}

/** Waiting is over: who has not answered by now will not get it any more. */
export function applyInboxEnds(snapshot: PlacesSnapshot, inboxEnds: ReadonlyMap<number, InboxEnd>): Buffer {
  const status = withReceivedAsSent(snapshot.status, snapshot.received);
  for (const [place, inboxEnd] of inboxEnds) status[place] = STATUS_BY_INBOX_END[inboxEnd];
  return status;
}

const STATUS_BY_INBOX_END = {
  kept: placeStatus.expired,
  lost: placeStatus.failed,
  foreign: placeStatus.skipped,
} as const;

/**
 * The task was cancelled, and nothing new is begun. What was out when nobody held the slice any more is not sent again:
 * it stays *cancelled* unless its device has answered, and whatever the vendor said of it is in the sent bits.
 */
export function applyCancel(snapshot: PlacesSnapshot): Buffer {
  const status = withReceivedAsSent(snapshot.status, snapshot.received);
  for (const place of openPlaces(snapshot.status, snapshot.received)) status[place] = placeStatus.cancelled;
  return status;
}
