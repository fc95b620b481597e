import { vendorFacts } from '../channel.ts';
import { isOpen, placeStatus, type SliceChannel } from '../slice.ts';
import type { TrippedBreaker } from '../vendor-account/breaker.ts';
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
  /** The reason why no vendor, or no further vendor, is tried, as a clause. */
  readonly noVendorReason: string;
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
export function explainDelivery(trace: DeliveryTrace): Explanation {
  const { places } = trace;
  const receivedPlace = places.find(({ received }) => received);
  if (receivedPlace) return { state: 'acknowledged', text: explainAcknowledged(receivedPlace) };
  const openPlace = places.find(({ status }) => isOpen(status));
  if (openPlace) return { state: 'open', text: explainOpen(trace, openPlace) };
  const acceptedPlace = places.findLast(({ sent, channel }) => sent && channel !== 'nativepush');
  if (acceptedPlace) return { state: 'sent', text: explainSent(acceptedPlace) };
  const finalPlace = finalPlaceOf(places);
  const wasWritten = places.some(({ sent }) => sent);
  return {
    state: wasWritten ? 'sent' : 'ended',
    text: sentences(wasWritten && NOT_ACKNOWLEDGED, ...explainEnded(trace, finalPlace)),
  };
}

const NOT_ACKNOWLEDGED = 'The notification was written to the device, which never acknowledged it.';

function explainAcknowledged({ channel }: TracedPlace): string {
  return channel === 'nativepush'
    ? 'Delivered: the device acknowledged the notification on the Carillon channel.'
    : `Delivered through ${displayNameOf(channel)}: the app or the vendor reported that the device received the notification.`;
}

/** Apple and Google do not report delivery. The other vendors may still report it. */
const receiptClause = (channel: SliceChannel): string =>
  channel !== 'nativepush' && channel !== 'none' && !vendorFacts[channel].sendsReceipts
    ? 'does not report delivery. The app has not sent a receipt with /device/receipt'
    : 'has not reported delivery yet';

function explainSent({ channel, events }: TracedPlace): string {
  const accepted = lastEventOf(events, ['accepted']);
  const at = accepted ? ` at ${formatTime(accepted.at)}` : '';
  return sentences(
    `${displayNameOf(channel)} accepted the notification${at} but ${receiptClause(channel)}.`,
    'If the user did not see the notification, check the notification settings of the app on the device.',
  );
}

/** Returns the place where delivery ended: a place that was not handed over, or the last one that was tried. */
function finalPlaceOf(places: readonly TracedPlace[]): TracedPlace {
  const handedOver: readonly number[] = [placeStatus.fellBack, placeStatus.dead, placeStatus.failed];
  return (places.find(({ status }) => !handedOver.includes(status)) ?? places.at(-1)) as TracedPlace;
}

function explainOpen(trace: DeliveryTrace, place: TracedPlace): string {
  if (trace.cancelled) return 'The task was cancelled. Its remaining deliveries are being stopped.';
  if (place.loggedOut) return 'The device was logged out, so it does not receive this notification.';
  const breaker = trace.breakers.find(({ channel }) => channel === place.channel);
  if (breaker) return explainBreaker(trace, breaker);
  switch (place.status) {
    case placeStatus.waiting:
      return explainInInbox(trace, place);
    case placeStatus.retrying:
      return explainRetrying(trace, place);
    case placeStatus.attempting:
      return place.channel === 'nativepush'
        ? explainAwaitingAck(place)
        : `The notification is being sent through ${displayNameOf(place.channel)} now.`;
    default:
      return `The notification is about to be sent through ${displayNameOf(place.channel)}.`;
  }
}

function explainBreaker(
  { notAfter }: DeliveryTrace,
  { channel, cause, reason, trippedAt }: DeliveryTrace['breakers'][number],
): string {
  const name = displayNameOf(channel);
  const isLockedOut = cause === 'locked-out';
  return sentences(
    `${isLockedOut ? `${capitalize(name)} has rejected the app's credentials` : `${capitalize(name)} has been unavailable`} since ${formatTime(trippedAt)} (${reason}).`,
    `The channel is paused until a probe succeeds. The notification expires at ${formatTime(notAfter)}.`,
    isLockedOut && CHECK_CREDENTIALS,
  );
}

function explainAwaitingAck({ events, nextAt }: TracedPlace): string {
  const last = lastEventOf(events, ['written', 'queued', 'no-answer']);
  const eventSentence = last ? describeEvent('nativepush', last) : 'The notification was written to the device.';
  return sentences(eventSentence, `Carillon waits for the acknowledgement until ${formatTime(nextAt)}.`);
}

function explainRetrying({ notAfter }: DeliveryTrace, { channel, events, nextAt }: TracedPlace): string {
  const last = lastEventOf(events, ['throttled', 'unreachable', 'locked-out']);
  return sentences(
    last ? describeEvent(channel, last) : `${displayNameOf(channel)} has not accepted the notification yet.`,
    `Carillon retries at ${formatTime(nextAt)}. The notification expires at ${formatTime(notAfter)}.`,
    last?.code === 'locked-out' && CHECK_CREDENTIALS,
  );
}

const CHECK_CREDENTIALS =
  "Check the app's credentials for this vendor and save valid ones with /admin/certificate/save.";

function explainInInbox(trace: DeliveryTrace, { events, sent }: TracedPlace): string {
  if (trace.inboxUntil === null)
    return lastEventOf(events, ['in-inbox'])
      ? "The notification waited in the device's inbox, but newer notifications displaced it."
      : "The notification is about to be put in the device's inbox.";
  return sentences(
    `The notification waits in the device's inbox until ${formatTime(trace.inboxUntil)}, because ${fallbackReasons(trace)}.`,
    sent
      ? 'The notification was written to the device, which has not acknowledged it yet.'
      : 'The device receives the notification when it connects.',
  );
}

/** Returns the reasons why each tried channel failed, as one clause. */
function fallbackReasons({ places, noVendorReason }: DeliveryTrace): string {
  const native = places.find(({ channel }) => channel === 'nativepush');
  const nativeReason = nativeFailureReason(native?.events ?? []);
  const vendorReasons = places.filter(({ channel }) => channel !== 'nativepush').map(vendorFailureReason);
  return [nativeReason, ...(vendorReasons.length > 0 ? vendorReasons : [noVendorReason])].join(' and ');
}

function vendorFailureReason({ channel, events }: Pick<TracedPlace, 'channel' | 'events'>): string {
  const last = lastEventOf(events, ['token-dead', 'refused', 'quota-spent', 'unbound']);
  const name = displayNameOf(channel);
  const reason = last?.detail ? ` (${last.detail})` : '';
  switch (last?.code) {
    case 'token-dead':
      return `${name} reported the vendor token as invalid${reason}`;
    case 'refused':
      return `${name} rejected the notification${reason}`;
    case 'quota-spent':
      return `the daily quota at ${name} is used up`;
    case 'unbound':
      return `the device no longer has a vendor token for ${name}`;
    default:
      return `${name} did not accept the notification`;
  }
}

const REBIND_HINT = 'Open the app on the device so that it registers a new vendor token with `/device/bind`.';

function explainEnded(trace: DeliveryTrace, { channel, status, events }: TracedPlace): (string | false)[] {
  const name = displayNameOf(channel);
  const isNative = channel === 'nativepush';
  switch (status) {
    case placeStatus.cancelled:
      return ['The task was cancelled before it reached this device.'];
    case placeStatus.skipped:
      return ['The device was logged out before delivery.'];
    case placeStatus.expired: {
      if (isNative) return ['The device did not connect before the notification expired in its inbox.'];
      const last = lastEventOf(events, ['throttled', 'unreachable', 'locked-out']);
      const expiry = `The notification expired at ${formatTime(trace.notAfter)}`;
      return last
        ? [
            `${expiry} before ${name} accepted it.`,
            describeEvent(channel, last),
            last.code === 'locked-out' && CHECK_CREDENTIALS,
          ]
        : [`${expiry} before it could be sent through ${name}.`];
    }
    case placeStatus.failed:
      if (lastEventOf(events, ['displaced']))
        return ["Newer notifications displaced this one in the device's inbox before the device connected."];
      if (channel === 'none') return [`No channel can reach the device: ${trace.noVendorReason}.`];
      if (isNative)
        return [`${capitalize(nativeFailureReason(events))}, and no other channel is left: ${trace.noVendorReason}.`];
      return [`${capitalize(vendorFailureReason({ channel, events }))}, and no other channel is left.`];
    case placeStatus.sent:
      return [];
    default: {
      const clause = isNative ? nativeFailureReason(events) : vendorFailureReason({ channel, events });
      return [`${capitalize(clause)}, and no other channel is left.`, status === placeStatus.dead && REBIND_HINT];
    }
  }
}

function nativeFailureReason(events: readonly PlaceEvent[]): string {
  const ackTimeout = lastEventOf(events, ['silent']);
  return ackTimeout
    ? `the device did not acknowledge the notification within ${ackTimeout.detail}`
    : 'the device was not connected';
}

/** Returns one event of a place as a sentence. */
export function describeEvent(channel: SliceChannel, { code, detail }: PlaceEvent): string {
  const name = displayNameOf(channel);
  const colon = detail === null ? '' : `: ${detail}`;
  switch (code) {
    case 'accepted':
      return detail === null
        ? `${name} accepted the notification.`
        : `${name} accepted the notification with message ID ${detail}.`;
    case 'token-dead':
      return `${name} reported the vendor token as invalid${colon}.`;
    case 'refused':
      return `${name} rejected the notification${colon}.`;
    case 'locked-out':
      return `${name} rejected the app's credentials${colon}.`;
    case 'quota-spent':
      return `The daily quota at ${name} is used up${colon}.`;
    case 'throttled':
      return `${name} throttled the request${colon}.`;
    case 'unreachable':
      return `${name} did not return a clear response${colon}.`;
    case 'interrupted':
      return `The worker stopped before it recorded the response of ${name}, so the notification was sent again. A device that received it twice shows it once.`;
    case 'unbound':
      return `The device no longer has a vendor token for ${name}.`;
    case 'expired':
      return channel === 'nativepush'
        ? 'The notification expired in the inbox.'
        : `The notification expired before ${name} accepted it.`;
    case 'silent':
      return `The device did not acknowledge the notification within ${detail}.`;
    default:
      // During an upgrade, workers may be newer than this process and record events with codes that are not defined
      // here.
      return Object.hasOwn(eventSentences, code)
        ? eventSentences[code]
        : `A newer version of Carillon recorded "${code}"${colon}.`;
  }
}

const eventSentences = {
  written: 'The notification was written to the device.',
  queued: 'The device has too many unacknowledged notifications. This one is written as soon as there is room.',
  'no-answer': 'The gateway did not report whether it wrote the notification to the device.',
  'no-session': 'The device was not connected.',
  'in-inbox': "The notification was put in the device's inbox.",
  displaced: 'Newer notifications displaced this one in the inbox.',
  'logged-out': 'The device was logged out.',
  cancelled: 'The task was cancelled.',
} as const satisfies Partial<Record<TraceCode, string>>;

const displayNameOf = (channel: SliceChannel): string => {
  switch (channel) {
    case 'apns':
      return 'Apple';
    case 'nativepush':
      return 'the Carillon channel';
    case 'none':
      return 'no channel';
    default:
      return vendorFacts[channel].displayName;
  }
};

const lastEventOf = (events: readonly PlaceEvent[], codes: readonly TraceCode[]): PlaceEvent | undefined =>
  events.findLast(({ code }) => codes.includes(code));

const sentences = (...parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join(' ');

/** The brand name "vivo" starts with a lower-case letter. */
const capitalize = (text: string): string =>
  text.startsWith('vivo') ? text : text.slice(0, 1).toUpperCase() + text.slice(1);

export const formatTime = (instant: Date): string => instant.toISOString().replace(/\.\d+Z$/, 'Z');
