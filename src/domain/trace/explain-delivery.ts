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
  readonly ownerChanged: boolean;
}

export interface DeliveryTrace {
  readonly places: readonly TracedPlace[];
  readonly cancelled: boolean;
  readonly notAfter: Date;
  /** Time until which the notification is in the device's inbox, or null if it is not there. */
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

const OWNER_CHANGED_REASON = 'nothing that was meant for its former owner is brought to it';
const NOT_ACKNOWLEDGED = 'It was written to the device, which never acknowledged it.';

function explainAcknowledged({ channel }: TracedPlace): string {
  return channel === 'nativepush'
    ? 'Delivered: the device acknowledged it on the own channel.'
    : `Delivered: that it arrived over ${displayNameOf(channel)} was told by the app or by the vendor.`;
}

/** Apple and Google do not report delivery. The other vendors may still report it. */
const receiptClause = (channel: SliceChannel): string =>
  channel !== 'nativepush' && channel !== 'none' && !vendorFacts[channel].sendsReceipts
    ? 'never tells what arrived; the app can, by /device/receipt, and has not'
    : 'has not told since whether it arrived';

function explainSent({ channel, events }: TracedPlace): string {
  const accepted = lastEventOf(events, ['accepted']);
  const at = accepted ? ` at ${formatTime(accepted.at)}` : '';
  return sentences(
    `${displayNameOf(channel)} accepted it${at} and ${receiptClause(channel)}.`,
    'If it was not seen, look whether the phone shows notifications of this app.',
  );
}

/** Returns the place where delivery ended: a place that was not handed over, or the last one that was tried. */
function finalPlaceOf(places: readonly TracedPlace[]): TracedPlace {
  const handedOver: readonly number[] = [placeStatus.fellBack, placeStatus.dead, placeStatus.failed];
  return (places.find(({ status }) => !handedOver.includes(status)) ?? places.at(-1)) as TracedPlace;
}

function explainOpen(trace: DeliveryTrace, place: TracedPlace): string {
  if (trace.cancelled) return 'The task was cancelled, and what is left of it is being stopped.';
  if (place.ownerChanged) return `The device changed hands or was logged out since: ${OWNER_CHANGED_REASON}.`;
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
        : `It is being sent over ${displayNameOf(place.channel)} now.`;
    default:
      return `It is about to be sent over ${displayNameOf(place.channel)}.`;
  }
}

function explainBreaker(
  { notAfter }: DeliveryTrace,
  { channel, cause, reason, trippedAt }: DeliveryTrace['breakers'][number],
): string {
  const name = displayNameOf(channel);
  const isLockedOut = cause === 'locked-out';
  return sentences(
    `${isLockedOut ? `${capitalize(name)} refuses the app's credentials` : `${capitalize(name)} gives no answer`} since ${formatTime(trippedAt)} (${reason}).`,
    `It is held back until one notification gets through, at the longest until ${formatTime(notAfter)}.`,
    isLockedOut && CHECK_CREDENTIALS,
  );
}

function explainAwaitingAck({ events, nextAt }: TracedPlace): string {
  const last = lastEventOf(events, ['written', 'queued', 'no-answer']);
  const eventSentence = last ? describeEvent('nativepush', last) : 'It was written to the device.';
  return sentences(eventSentence, `Its acknowledgement is awaited until ${formatTime(nextAt)}.`);
}

function explainRetrying({ notAfter }: DeliveryTrace, { channel, events, nextAt }: TracedPlace): string {
  const last = lastEventOf(events, ['throttled', 'unreachable', 'locked-out']);
  return sentences(
    last ? describeEvent(channel, last) : `${displayNameOf(channel)} has not taken it yet.`,
    `It is tried again at ${formatTime(nextAt)}, until ${formatTime(notAfter)}.`,
    last?.code === 'locked-out' && CHECK_CREDENTIALS,
  );
}

const CHECK_CREDENTIALS = "Look at the app's certificate for this vendor, and save one that it takes.";

function explainInInbox(trace: DeliveryTrace, { events, sent }: TracedPlace): string {
  if (trace.inboxUntil === null)
    return lastEventOf(events, ['in-inbox'])
      ? "It waited in the device's inbox, but newer messages have taken its room."
      : "It is about to be put in the device's inbox.";
  return sentences(
    `It waits in the device's inbox until ${formatTime(trace.inboxUntil)}, because ${fallbackReasons(trace)}.`,
    sent ? 'It was written to the device, which has not acknowledged it yet.' : 'It arrives when the device connects.',
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
      return `${name} called its token dead${reason}`;
    case 'refused':
      return `${name} refused it${reason}`;
    case 'quota-spent':
      return `today's quota at ${name} is spent`;
    case 'unbound':
      return `it has no token at ${name} any more`;
    default:
      return `${name} did not take it`;
  }
}

const REBIND_HINT = 'The app tells a new token by `/device/bind` when it is opened.';

function explainEnded(trace: DeliveryTrace, { channel, status, events }: TracedPlace): (string | false)[] {
  const name = displayNameOf(channel);
  const isNative = channel === 'nativepush';
  switch (status) {
    case placeStatus.cancelled:
      return ['The task was cancelled before it reached this device.'];
    case placeStatus.skipped:
      return [`The device changed hands or was logged out: ${OWNER_CHANGED_REASON}.`];
    case placeStatus.expired: {
      if (isNative) return ["It waited in the device's inbox, and the device did not connect in time."];
      const last = lastEventOf(events, ['throttled', 'unreachable', 'locked-out']);
      const expiry = `Its time was over at ${formatTime(trace.notAfter)}`;
      return last
        ? [
            `${expiry}, and ${name} had not taken it.`,
            describeEvent(channel, last),
            last.code === 'locked-out' && CHECK_CREDENTIALS,
          ]
        : [`${expiry}, before it could be sent over ${name}.`];
    }
    case placeStatus.failed:
      if (lastEventOf(events, ['displaced']))
        return ["Newer messages took its room in the device's inbox before it connected."];
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
  return ackTimeout ? `the device did not acknowledge it within ${ackTimeout.detail}` : 'the device was not connected';
}

/** Returns one event of a place as a sentence. */
export function describeEvent(channel: SliceChannel, { code, detail }: PlaceEvent): string {
  const name = displayNameOf(channel);
  const colon = detail === null ? '' : `: ${detail}`;
  switch (code) {
    case 'accepted':
      return detail === null ? `${name} accepted it.` : `${name} accepted it as ${detail}.`;
    case 'token-dead':
      return `${name} called the token dead${colon}.`;
    case 'refused':
      return `${name} refused it${colon}.`;
    case 'locked-out':
      return `${name} refused the app's credentials${colon}.`;
    case 'quota-spent':
      return `Today's quota at ${name} is spent${colon}.`;
    case 'throttled':
      return `${name} asked for patience${colon}.`;
    case 'unreachable':
      return `${name} gave no clear answer${colon}.`;
    case 'interrupted':
      return `Whether ${name} took it was not written down in time, so it was sent again; a phone that has it shows it once.`;
    case 'unbound':
      return `The device has no token at ${name} any more.`;
    case 'expired':
      return channel === 'nativepush' ? 'Its time in the inbox was over.' : `Its time was over before ${name} took it.`;
    case 'silent':
      return `The device did not acknowledge it within ${detail}.`;
    default:
      // During an upgrade, workers may be newer than this process and record events that it does not know.
      return Object.hasOwn(eventSentences, code)
        ? eventSentences[code]
        : `A newer version of this service says "${code}"${colon}.`;
  }
}

const eventSentences = {
  written: 'It was written to the device.',
  queued: 'The device has too much out that it has not acknowledged; it is written as soon as there is room.',
  'no-answer': 'The gateway did not say whether it wrote it to the device.',
  'no-session': 'The device was not connected.',
  'in-inbox': "It was put in the device's inbox.",
  displaced: 'Newer messages took its room in the inbox.',
  'changed-hands': 'The device had changed hands or was logged out.',
  cancelled: 'The task was cancelled.',
} as const satisfies Partial<Record<TraceCode, string>>;

const displayNameOf = (channel: SliceChannel): string => {
  switch (channel) {
    case 'apns':
      return 'Apple';
    case 'nativepush':
      return 'the own channel';
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
