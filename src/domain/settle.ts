import { needsHandOver, openPlaces, statusAfter, withMarkedAsSent } from './ledger.ts';
import { type InboxEnd, isAccepted, type PlaceOutcome, type PlacesSnapshot } from './place-outcome.ts';
import type { Route } from './routing.ts';
import { isOpen, type PlaceStatus, placeStatus, type SliceState } from './slice.ts';
import { type TraceEvent, vendorEvents } from './trace/trace-events.ts';

/**
 * Returns the status with these places marked as attempting, and accepted places as sent. Before a vendor call, the
 * mark records which places have an unknown result after a crash. On the Carillon channel, it marks frames that were or
 * may have been written and that a device can still acknowledge.
 */
export function markAttempting(
  snapshot: PlacesSnapshot,
  places: Iterable<number>,
  accepted: Iterable<number> = [],
): Buffer {
  const status = withMarkedAsSent(snapshot.status, snapshot.received);
  for (const place of places) status[place] = placeStatus.attempting;
  for (const place of accepted) status[place] = placeStatus.sent;
  return status;
}

/** The result of a vendor call for a slice. */
export interface VendorSettlement {
  readonly status: Buffer;
  /** Places that the vendor accepted. */
  readonly accepted: readonly number[];
  /** Places that move to another channel immediately, even while others are retried. */
  readonly toHandOver: readonly number[];
  readonly state: Extract<SliceState, 'ready' | 'closed'>;
  /** Trace events, with the vendor's own reasons. */
  readonly events: readonly TraceEvent[];
}

/** Applies the outcomes of a vendor call to the open places. */
export function applyOutcomes(snapshot: PlacesSnapshot, outcomes: ReadonlyMap<number, PlaceOutcome>): VendorSettlement {
  const status = withMarkedAsSent(snapshot.status, snapshot.received);
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
    case 'expired':
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
 * Applies the acknowledgement timeout of the Carillon channel. Acknowledged places become *sent*. Other places follow
 * their route. A place without a route is skipped, because its device has another owner.
 */
export function applyAckTimeout(snapshot: PlacesSnapshot, routes: ReadonlyMap<number, Route | undefined>): Buffer {
  const status = withMarkedAsSent(snapshot.status, snapshot.received);
  for (const [place, route] of routes) {
    if (!route) status[place] = placeStatus.skipped;
    else if (route.toInbox) status[place] = placeStatus.waiting;
    else status[place] = route.channel === 'none' ? placeStatus.failed : placeStatus.fellBack;
  }
  return status;
}

/** Closes the places whose time in the inbox is over, and sets other open places with a receipt to *sent*. */
export function applyInboxEnds(snapshot: PlacesSnapshot, inboxEnds: ReadonlyMap<number, InboxEnd>): Buffer {
  const status = withMarkedAsSent(snapshot.status, snapshot.received);
  for (const [place, inboxEnd] of inboxEnds) status[place] = STATUS_BY_INBOX_END[inboxEnd];
  return status;
}

const STATUS_BY_INBOX_END = {
  kept: placeStatus.expired,
  lost: placeStatus.failed,
  foreign: placeStatus.skipped,
} as const;

/**
 * Cancels all open places, so that nothing more is sent. A place that was being sent when its holder stopped is not
 * sent again. It becomes *cancelled* unless its device has acknowledged, and a vendor's acceptance stays in the sent
 * bits.
 */
export function applyCancel(snapshot: PlacesSnapshot): Buffer {
  const status = withMarkedAsSent(snapshot.status, snapshot.received);
  for (const place of openPlaces(snapshot.status, snapshot.received)) status[place] = placeStatus.cancelled;
  return status;
}
