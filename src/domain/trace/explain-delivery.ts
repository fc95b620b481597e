import { vendorFacts } from '../channel.ts';
import type { Language } from '../language/language.ts';
import { isOpen, placeStatus, type SliceChannel } from '../slice.ts';
import type { TrippedBreaker } from '../vendor-account/breaker.ts';
import {
  explainDenied,
  explainLastSeen,
  explainLogout,
  explainMissingTokens,
  type TracedPhone,
} from './explain-phone.ts';
import { formatTime } from './format-time.ts';
import { traceTexts } from './texts.ts';
import type { TraceTexts } from './texts-en.ts';
import type { PlaceEvent, TraceCode } from './trace-events.ts';

/** One place of a device in a task. Places are in the order in which their channels were tried. */
export interface TracedPlace {
  readonly channel: SliceChannel;
  /** A value of `placeStatus`. */
  readonly status: number;
  readonly sent: boolean;
  readonly received: boolean;
  /** Time at which the place is processed again. */
  readonly nextAt: Date;
  readonly events: readonly PlaceEvent[];
  /** The place belongs to a previous owner of the device. */
  readonly loggedOut: boolean;
}

export interface DeliveryTrace {
  readonly places: readonly TracedPlace[];
  readonly cancelled: boolean;
  readonly notAfter: Date;
  /** Time until which the notification stays in the device's inbox, or null if the inbox does not contain it. */
  readonly inboxUntil: Date | null;
  /** The reason why no vendor, or no further vendor, is tried, as a clause in the language of the explanation. */
  readonly noVendorReason: string;
  readonly phone: TracedPhone;
  /** Vendor channels that are paused. */
  readonly breakers: readonly Pick<TrippedBreaker, 'channel' | 'cause' | 'reason' | 'trippedAt'>[];
}

/**
 * State of a notification for one device:
 * - acknowledged: the device received it.
 * - sent: a vendor accepted it, or it was written to the device, and delivery is finished.
 * - open: delivery is not finished.
 * - ended: it was not delivered.
 * - outside: the device is not in the audience, or not yet.
 */
export type TraceState = 'acknowledged' | 'sent' | 'open' | 'ended' | 'outside';

export interface Explanation {
  readonly state: TraceState;
  /** Plain sentences: the result, the reason, and what the reader can do about it. */
  readonly text: string;
}

/** Explains why a notification reached or did not reach a device of its audience. */
export function explainDelivery(trace: DeliveryTrace, language: Language): Explanation {
  const { places } = trace;
  const texts = traceTexts[language];
  const receivedPlace = places.find(({ received }) => received);
  if (receivedPlace) return { state: 'acknowledged', text: explainAcknowledged(texts, trace, receivedPlace) };
  const openPlace = places.find(({ status }) => isOpen(status));
  if (openPlace) return { state: 'open', text: explainOpen(texts, trace, openPlace) };
  const acceptedPlace = places.findLast(({ sent, channel }) => sent && channel !== 'nativepush');
  if (acceptedPlace) return { state: 'sent', text: explainSent(texts, trace, acceptedPlace) };
  const finalPlace = finalPlaceOf(places);
  const wasWritten = places.some(({ sent }) => sent);
  return {
    state: wasWritten ? 'sent' : 'ended',
    text: sentences(texts, wasWritten && texts.neverAcknowledged, ...explainEnded(texts, trace, finalPlace)),
  };
}

const explainAcknowledged = (texts: TraceTexts, { phone }: DeliveryTrace, { channel }: TracedPlace): string =>
  sentences(
    texts,
    channel === 'nativepush' ? texts.acknowledged : texts.acknowledgedThrough(texts.channelName(channel)),
    explainDenied(texts, phone),
  );

function explainSent(texts: TraceTexts, { phone }: DeliveryTrace, { channel, events }: TracedPlace): string {
  const accepted = lastEventOf(events, ['accepted']);
  const at = accepted ? formatTime(accepted.at) : null;
  // Apple and Google do not report delivery. The other vendors may still report it.
  const hasNoReceipts = channel !== 'nativepush' && channel !== 'none' && !vendorFacts[channel].sendsReceipts;
  const accept = hasNoReceipts ? texts.acceptedWithoutReceipts : texts.acceptedBeforeReceipt;
  return sentences(texts, accept(texts.channelName(channel), at), explainDenied(texts, phone) || texts.checkSettings);
}

/** Returns the place where delivery ended: a place that was not handed over, or the last one that was tried. */
function finalPlaceOf(places: readonly TracedPlace[]): TracedPlace {
  const handedOver: readonly number[] = [placeStatus.fellBack, placeStatus.dead, placeStatus.failed];
  return (places.find(({ status }) => !handedOver.includes(status)) ?? places.at(-1)) as TracedPlace;
}

function explainOpen(texts: TraceTexts, trace: DeliveryTrace, place: TracedPlace): string {
  if (trace.cancelled) return texts.cancelling;
  if (place.loggedOut) return explainLogout(texts, trace.phone);
  const breaker = trace.breakers.find(({ channel }) => channel === place.channel);
  if (breaker) return explainBreaker(texts, trace, breaker);
  switch (place.status) {
    case placeStatus.waiting:
      return explainInInbox(texts, trace, place);
    case placeStatus.retrying:
      return explainRetrying(texts, trace, place);
    case placeStatus.attempting:
      return place.channel === 'nativepush'
        ? explainAwaitingAck(texts, place)
        : texts.beingSent(texts.channelName(place.channel));
    default:
      return texts.aboutToBeSent(texts.channelName(place.channel));
  }
}

function explainBreaker(
  texts: TraceTexts,
  { notAfter }: DeliveryTrace,
  { channel, cause, reason, trippedAt }: DeliveryTrace['breakers'][number],
): string {
  const isLockedOut = cause === 'locked-out';
  const since = isLockedOut ? texts.rejectedSince : texts.unavailableSince;
  return sentences(
    texts,
    since(texts.channelName(channel), formatTime(trippedAt), reason),
    texts.channelPaused(formatTime(notAfter)),
    isLockedOut && texts.checkCredentials,
  );
}

function explainAwaitingAck(texts: TraceTexts, { events, nextAt }: TracedPlace): string {
  const last = lastEventOf(events, ['written', 'queued', 'no-answer']) ?? { code: 'written', detail: null };
  return sentences(texts, eventSentence(texts, 'nativepush', last), texts.waitsForAcknowledgement(formatTime(nextAt)));
}

function explainRetrying(
  texts: TraceTexts,
  { notAfter }: DeliveryTrace,
  { channel, events, nextAt }: TracedPlace,
): string {
  const last = lastEventOf(events, ['throttled', 'unreachable', 'locked-out']);
  return sentences(
    texts,
    last ? eventSentence(texts, channel, last) : texts.notAcceptedYet(texts.channelName(channel)),
    texts.retries(formatTime(nextAt), formatTime(notAfter)),
    last?.code === 'locked-out' && texts.checkCredentials,
  );
}

function explainInInbox(texts: TraceTexts, trace: DeliveryTrace, { events, sent }: TracedPlace): string {
  if (trace.inboxUntil === null)
    return lastEventOf(events, ['in-inbox']) ? texts.displacedWhileWaiting : texts.aboutToEnterInbox;
  return sentences(
    texts,
    texts.waitsInInbox(formatTime(trace.inboxUntil), fallbackReasons(texts, trace)),
    explainMissingTokens(texts, trace.phone),
    sent ? texts.notAcknowledgedYet : texts.receivesWhenConnected,
    explainLastSeen(texts, trace.phone),
  );
}

/** Returns the reasons why each tried channel failed, as one clause. */
function fallbackReasons(texts: TraceTexts, { places, noVendorReason }: DeliveryTrace): string {
  const native = places.find(({ channel }) => channel === 'nativepush');
  const nativeReason = nativeFailureReason(texts, native?.events ?? []);
  const vendorReasons = places
    .filter(({ channel }) => channel !== 'nativepush')
    .map((place) => vendorFailureReason(texts, place));
  return texts.joinClauses([nativeReason, ...(vendorReasons.length > 0 ? vendorReasons : [noVendorReason])]);
}

function vendorFailureReason(texts: TraceTexts, { channel, events }: Pick<TracedPlace, 'channel' | 'events'>): string {
  const last = lastEventOf(events, ['token-dead', 'refused', 'quota-spent', 'unbound']);
  const name = texts.channelName(channel);
  switch (last?.code) {
    case 'token-dead':
      return texts.tokenInvalidClause(name, last.detail);
    case 'refused':
      return texts.rejectedClause(name, last.detail);
    case 'quota-spent':
      return texts.quotaClause(name);
    case 'unbound':
      return texts.unboundClause(name);
    default:
      return texts.notAcceptedClause(name);
  }
}

function explainEnded(
  texts: TraceTexts,
  trace: DeliveryTrace,
  { channel, status, events }: TracedPlace,
): (string | false)[] {
  const name = texts.channelName(channel);
  const isNative = channel === 'nativepush';
  const phone = [explainMissingTokens(texts, trace.phone), explainLastSeen(texts, trace.phone)];
  switch (status) {
    case placeStatus.cancelled:
      return [texts.cancelledBefore];
    case placeStatus.skipped:
      return [explainLogout(texts, trace.phone)];
    case placeStatus.expired: {
      if (isNative) return [texts.expiredInInboxUnseen, ...phone];
      const last = lastEventOf(events, ['throttled', 'unreachable', 'locked-out']);
      const expiredAt = formatTime(trace.notAfter);
      return last
        ? [
            texts.expiredBeforeAccepted(expiredAt, name),
            eventSentence(texts, channel, last),
            last.code === 'locked-out' && texts.checkCredentials,
          ]
        : [texts.expiredBeforeSent(expiredAt, name)];
    }
    case placeStatus.failed:
      if (lastEventOf(events, ['displaced'])) return [texts.displacedUnseen, ...phone];
      if (channel === 'none') return [texts.noChannel(trace.noVendorReason), ...phone];
      if (isNative)
        return [texts.noOtherChannelBecause(nativeFailureReason(texts, events), trace.noVendorReason), ...phone];
      return [texts.noOtherChannel(vendorFailureReason(texts, { channel, events }))];
    case placeStatus.sent:
      return [];
    default: {
      const clause = isNative ? nativeFailureReason(texts, events) : vendorFailureReason(texts, { channel, events });
      return [texts.noOtherChannel(clause), status === placeStatus.dead && texts.rebind, ...phone];
    }
  }
}

function nativeFailureReason(texts: TraceTexts, events: readonly PlaceEvent[]): string {
  const ackTimeout = lastEventOf(events, ['silent']);
  return ackTimeout ? texts.ackTimeoutClause(ackTimeout.detail) : texts.notConnectedClause;
}

/** Returns one event of a place as a sentence. */
export const describeEvent = (
  channel: SliceChannel,
  event: Pick<PlaceEvent, 'code' | 'detail'>,
  language: Language,
): string => eventSentence(traceTexts[language], channel, event);

function eventSentence(
  texts: TraceTexts,
  channel: SliceChannel,
  { code, detail }: Pick<PlaceEvent, 'code' | 'detail'>,
): string {
  if (code === 'expired' && channel === 'nativepush') return texts.expiredInInbox;
  // During an upgrade, workers may be newer than this process and record events with codes that are not defined here.
  return Object.hasOwn(texts.events, code)
    ? texts.events[code](texts.channelName(channel), detail)
    : texts.newerEvent(code, detail);
}

const lastEventOf = (events: readonly PlaceEvent[], codes: readonly TraceCode[]): PlaceEvent | undefined =>
  events.findLast(({ code }) => codes.includes(code));

const sentences = (texts: TraceTexts, ...parts: readonly (string | false)[]): string =>
  texts.joinSentences(parts.filter((part) => part !== false));
