import { type Bits, hasBit } from '../bits.ts';
import { openPlaces } from '../ledger.ts';
import type { InboxEnd, PlaceOutcome, PlacesSnapshot } from '../place-outcome.ts';
import type { Route } from '../routing.ts';
import { placeStatus } from '../slice.ts';

/** Codes of events of a place: a vendor outcome, or an event on the Carillon channel or in the inbox. */
export const traceCodes = [
  'accepted',
  'token-dead',
  'refused',
  'locked-out',
  'quota-spent',
  'throttled',
  'unreachable',
  'interrupted', // the sender stopped before it recorded the response
  'unbound', // the device no longer has a token for this vendor
  'written', // written to the device's session
  'queued', // the session has too many unacknowledged frames, and writes the notification when there is room
  'no-answer', // the gateway did not report whether it wrote the notification
  'silent', // no acknowledgement in time
  'no-session',
  'in-inbox',
  'expired',
  'displaced', // newer notifications displaced this one in the inbox
  'logged-out',
  'cancelled',
] as const;
export type TraceCode = (typeof traceCodes)[number];

/** One event of some places of a slice. `detail` is the reason in the channel's own words. */
export interface TraceEvent {
  readonly code: TraceCode;
  readonly detail?: string;
  readonly places: readonly number[];
}

/** Maximum length of a detail. Vendors' reasons are short, and a longer text is usually the error page of a proxy. */
const DETAIL_CHARACTERS_MAX = 120;
/**
 * Maximum number of different details per write. Without a limit, each of the 512 places could have a different detail.
 */
const DETAILS_MAX = 8;

/**
 * Formats events as a slice stores them: one line per code with `code places detail`, such as `accepted 0-63,70` or
 * `token-dead 64 BadDeviceToken`. Returns null if there are no events.
 */
export function formatEvents(events: readonly TraceEvent[]): string | null {
  const lines = new Map<string, number[]>();
  let details = 0;
  for (const { code, detail, places } of events) {
    if (places.length === 0) continue;
    const shortDetail = detail === undefined ? '' : shorten(detail);
    const fullKey = `${code}\0${shortDetail}`;
    const isNew = shortDetail !== '' && !lines.has(fullKey);
    const key = isNew && details >= DETAILS_MAX ? `${code}\0` : fullKey;
    if (isNew && details < DETAILS_MAX) details++;
    const linePlaces = lines.get(key);
    if (linePlaces) linePlaces.push(...places);
    else lines.set(key, [...places]);
  }
  if (lines.size === 0) return null;
  return [...lines]
    .map(([key, places]) => {
      const [code, detail] = key.split('\0') as [string, string];
      return `${code} ${toRanges(places)}${detail === '' ? '' : ` ${detail}`}`;
    })
    .join('\n');
}

/** A slice keeps its first 8 entries, which show how delivery started, and its latest ones, which show how it ended. */
export const HISTORY_FIRST = 8;
export const HISTORY_MAX = 32;

/** `writeSlices`: appends an entry. If there are too many, the oldest entry after the first ones is dropped. */
export function appendHistory(history: readonly string[], text: string | null, now: number): string[] {
  if (text === null) return [...history];
  const entry = `${Math.floor(now)} ${text}`;
  if (history.length < HISTORY_MAX) return [...history, entry];
  return [...history.slice(0, HISTORY_FIRST), ...history.slice(HISTORY_FIRST + 1), entry];
}

/** One event of one place. */
export interface PlaceEvent {
  readonly at: Date;
  readonly code: TraceCode;
  readonly detail: string | null;
}

/** Returns the events of one place from the history of a slice, in order. */
export function readPlaceEvents(history: readonly string[], place: number): PlaceEvent[] {
  return history.flatMap((entry) => {
    const space = entry.indexOf(' ');
    const at = new Date(Number(entry.slice(0, space)));
    return entry
      .slice(space + 1)
      .split('\n')
      .flatMap((line): PlaceEvent[] => {
        const [code, ranges, ...detail] = line.split(' ') as [TraceCode, string, ...string[]];
        return includesPlace(ranges, place) ? [{ at, code, detail: detail.length > 0 ? detail.join(' ') : null }] : [];
      });
  });
}

/** Codes of events after which a place has failed, unless a later event replaces them. */
export const failureCodes: ReadonlySet<TraceCode> = new Set([
  'token-dead',
  'refused',
  'locked-out',
  'quota-spent',
  'throttled',
  'unreachable',
  'unbound',
  'no-answer',
  'silent',
  'no-session',
  'expired',
  'displaced',
  'logged-out',
  'cancelled',
]);

/** The number of places that have failed for the same reason. */
export interface FailureCount {
  readonly code: TraceCode;
  readonly detail: string | null;
  readonly count: number;
  /** The first of these places. */
  readonly firstPlace: number;
}

/** Counts the places of a slice that were not sent, by their last failure. */
export function countFailures(history: readonly string[], sent: Bits): FailureCount[] {
  const lastFailures = new Map<number, string>();
  for (const entry of history)
    for (const line of entry.slice(entry.indexOf(' ') + 1).split('\n')) {
      const [code, ranges, ...detail] = line.split(' ') as [TraceCode, string, ...string[]];
      if (failureCodes.has(code))
        for (const place of placesOf(ranges)) lastFailures.set(place, [code, ...detail].join(' '));
    }
  const failures = [...lastFailures].filter(([place]) => !hasBit(sent, place));
  return [...Map.groupBy(failures, ([, reason]) => reason)].map(([reason, same]) => {
    const [code, ...detail] = reason.split(' ') as [TraceCode, ...string[]];
    const firstPlace = Math.min(...same.map(([place]) => place));
    return { code, detail: detail.length > 0 ? detail.join(' ') : null, count: same.length, firstPlace };
  });
}

/** Returns the places of a text such as `0-63,70`. */
function placesOf(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/**
 * Returns the event for places that are called again, because an earlier sender stopped before it recorded the
 * response.
 */
export function interruptedEvent({ status }: PlacesSnapshot, places: readonly number[]): TraceEvent {
  return { code: 'interrupted', places: places.filter((place) => status[place] === placeStatus.attempting) };
}

/** Returns the events for the vendor outcomes of these places. Places that were not sent to the vendor have none. */
export function vendorEvents(
  outcomes: ReadonlyMap<number, PlaceOutcome>,
  places: readonly number[],
): readonly TraceEvent[] {
  const placeOutcomes = places.flatMap((place) => {
    const outcome = outcomes.get(place);
    return outcome === undefined || outcome === 'breaker-open' || outcome === 'rate-limited'
      ? []
      : [{ place, outcome }];
  });
  // A message ID per device would need more space than everything else, so an ID is kept only if all places share it.
  const messageIds = new Set(
    placeOutcomes.map(({ outcome }) =>
      typeof outcome === 'object' && outcome.kind === 'accepted' ? outcome.channelMessageId : '',
    ),
  );
  messageIds.delete('');
  const [messageId] = messageIds.size === 1 ? messageIds : [];
  return placeOutcomes.map(({ place, outcome }): TraceEvent => {
    const event = eventOf(outcome);
    return {
      ...event,
      ...(event.code === 'accepted' && messageId !== undefined && { detail: messageId }),
      places: [place],
    };
  });
}

function eventOf(outcome: Exclude<PlaceOutcome, 'breaker-open' | 'rate-limited'>): Omit<TraceEvent, 'places'> {
  if (outcome === 'expired') return { code: 'expired' };
  if (outcome === 'unbound') return { code: 'unbound' };
  switch (outcome.kind) {
    case 'accepted':
      return { code: outcome.kind };
    case 'quota-spent':
      return { code: outcome.kind, detail: `until ${outcome.until.toISOString()}` };
    case 'throttled':
      return { code: outcome.kind, detail: `retry after ${outcome.retryAfterSeconds} s` };
    default:
      return { code: outcome.kind, detail: outcome.reason };
  }
}

/**
 * Returns the events for the acknowledgement timeout: written places were not acknowledged, the others had no session.
 */
export function ackTimeoutEvents(
  snapshot: PlacesSnapshot,
  routes: ReadonlyMap<number, Route | undefined>,
  ackTimeoutSeconds: number,
): readonly TraceEvent[] {
  const places = [...routes.keys()];
  const routedPlaces = places.filter((place) => routes.get(place) !== undefined);
  const wasWritten = (place: number) => snapshot.status[place] === placeStatus.attempting;
  return [
    { code: 'silent', detail: `${ackTimeoutSeconds} s`, places: routedPlaces.filter(wasWritten) },
    { code: 'no-session', places: routedPlaces.filter((place) => !wasWritten(place)) },
    { code: 'logged-out', places: places.filter((place) => routes.get(place) === undefined) },
  ];
}

/** Returns the events for places whose time in the inbox is over. */
export function inboxEndEvents(inboxEnds: ReadonlyMap<number, InboxEnd>): readonly TraceEvent[] {
  return [...inboxEnds].map(([place, inboxEnd]) => ({ code: CODE_BY_INBOX_END[inboxEnd], places: [place] }));
}

const CODE_BY_INBOX_END = { kept: 'expired', lost: 'displaced', foreign: 'logged-out' } as const satisfies Record<
  InboxEnd,
  TraceCode
>;

export function cancelEvents(snapshot: PlacesSnapshot): readonly TraceEvent[] {
  return [{ code: 'cancelled', places: openPlaces(snapshot.status, snapshot.received) }];
}

/**
 * Adds the event for devices that were logged out, and removes their `unbound` events, which are a consequence of the
 * logout.
 */
export function withLogouts(events: readonly TraceEvent[], places: readonly number[]): readonly TraceEvent[] {
  const loggedOutPlaces = new Set(places);
  return [
    ...events.map((event) =>
      event.code === 'unbound'
        ? { ...event, places: event.places.filter((place) => !loggedOutPlaces.has(place)) }
        : event,
    ),
    { code: 'logged-out', places },
  ];
}

/** Reduces a detail to one line that PostgreSQL can store. */
function shorten(detail: string): string {
  const line = detail.toWellFormed().replaceAll(UNPRINTABLE, ' ').trim();
  return Array.from(line).slice(0, DETAIL_CHARACTERS_MAX).join('');
}
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

function toRanges(places: readonly number[]): string {
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  const ranges: [from: number, to: number][] = [];
  for (const place of sorted) {
    const last = ranges.at(-1);
    if (last?.[1] === place - 1) last[1] = place;
    else ranges.push([place, place]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

function includesPlace(ranges: string, place: number): boolean {
  return ranges.split(',').some((range) => {
    const [from, to = from] = range.split('-').map(Number) as [number, number?];
    return from <= place && place <= to;
  });
}
