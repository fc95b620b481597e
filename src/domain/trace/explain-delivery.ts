import type { Channel } from '../channel.ts';
import { isOpen, placeStatus, type SliceChannel } from '../slice.ts';
import type { Gate } from '../vendor-account/breaker.ts';
import type { SaidOfPlace, Word } from './trace-events.ts';

/** One place of a device in a task. Places come in the order in which their channels were tried. */
export interface TracedPlace {
  readonly channel: SliceChannel;
  /** A byte of `placeStatus`. */
  readonly status: number;
  readonly sent: boolean;
  readonly received: boolean;
  /** When somebody looks at it again. */
  readonly nextAt: Date;
  readonly said: readonly SaidOfPlace[];
  /** It is of an owner whom the device has no more. */
  readonly foreign: boolean;
}

export interface TracedWay {
  readonly places: readonly TracedPlace[];
  readonly cancelled: boolean;
  readonly notAfter: Date;
  /** Until when its message lies in the device's inbox; null: it does not. */
  readonly inboxUntil: Date | null;
  /** Why no vendor is tried, or no other one, in a clause. */
  readonly noVendor: string;
  /** The vendors that are not asked at present. */
  readonly gates: readonly Pick<Gate, 'channel' | 'why' | 'reason' | 'closedAt'>[];
}

/**
 * acknowledged: the device has it. sent: a vendor took it, or it was written to the device, and nothing more is done.
 * open: something will still be done. ended: it did not arrive. outside: it was never meant for this device, or not yet.
 */
export type TraceState = 'acknowledged' | 'sent' | 'open' | 'ended' | 'outside';

export interface Why {
  readonly state: TraceState;
  /** In plain sentences: what became of it, why, and what can be done about it. */
  readonly why: string;
}

/** Why a notification did not arrive at a device that it was meant for, or that it did. */
export function whyOf(way: TracedWay): Why {
  const { places } = way;
  const arrived = places.find(({ received }) => received);
  if (arrived) return { state: 'acknowledged', why: whyArrived(arrived) };
  const open = places.find(({ status }) => isOpen(status));
  if (open) return { state: 'open', why: whyOpen(way, open) };
  const taken = places.findLast(({ sent, channel }) => sent && channel !== 'nativepush');
  if (taken) return { state: 'sent', why: whySent(taken) };
  const last = endOf(places);
  const written = places.some(({ sent }) => sent);
  return { state: written ? 'sent' : 'ended', why: sentences(written && WRITTEN, ...whyEnded(way, last)) };
}

const NOT_FOR_OTHERS = 'nothing that was meant for its former owner is brought to it';
const WRITTEN = 'It was written to the device, which never acknowledged it.';

function whyArrived({ channel }: TracedPlace): string {
  return channel === 'nativepush'
    ? 'Delivered: the device acknowledged it on the own channel.'
    : `Delivered: that it arrived over ${nameOf(channel)} was told by the app or by the vendor.`;
}

/** Apple and Google tell nobody what arrived; the word of any other may still come. */
const tells = (channel: SliceChannel): string =>
  channel === 'apns' || channel === 'fcm'
    ? 'never tells what arrived; the app can, by /device/receipt, and has not'
    : 'has not told since whether it arrived';

function whySent({ channel, said }: TracedPlace): string {
  const accepted = lastOf(said, ['accepted']);
  const at = accepted ? ` at ${timeOf(accepted.at)}` : '';
  return sentences(
    `${nameOf(channel)} accepted it${at} and ${tells(channel)}.`,
    'If it was not seen, look whether the phone shows notifications of this app.',
  );
}

/** Where a way ends: a place that went nowhere else, or the last one tried. */
function endOf(places: readonly TracedPlace[]): TracedPlace {
  const moved: readonly number[] = [placeStatus.fellBack, placeStatus.dead, placeStatus.failed];
  return (places.find(({ status }) => !moved.includes(status)) ?? places.at(-1)) as TracedPlace;
}

function whyOpen(way: TracedWay, place: TracedPlace): string {
  if (way.cancelled) return 'The task was cancelled, and what is left of it is being stopped.';
  if (place.foreign) return `The device changed hands or was logged out since: ${NOT_FOR_OTHERS}.`;
  const gate = way.gates.find(({ channel }) => channel === place.channel);
  if (gate) return whyGated(way, gate);
  switch (place.status) {
    case placeStatus.waiting:
      return whyWaiting(way, place);
    case placeStatus.retrying:
      return whyRetrying(way, place);
    case placeStatus.attempting:
      return place.channel === 'nativepush'
        ? whyAwaiting(place)
        : `It is being sent over ${nameOf(place.channel)} now.`;
    default:
      return `It is about to be sent over ${nameOf(place.channel)}.`;
  }
}

function whyGated({ notAfter }: TracedWay, { channel, why, reason, closedAt }: TracedWay['gates'][number]): string {
  const name = nameOf(channel);
  const locked = why === 'locked-out';
  return sentences(
    `${locked ? `${upper(name)} refuses the app's credentials` : `${upper(name)} gives no answer`} since ${timeOf(closedAt)} (${reason}).`,
    `It is held back until one notification gets through, at the longest until ${timeOf(notAfter)}.`,
    locked && CERTIFICATE,
  );
}

function whyAwaiting({ said, nextAt }: TracedPlace): string {
  const last = lastOf(said, ['written', 'queued', 'no-answer']);
  const what = last ? lineOf('nativepush', last) : 'It was written to the device.';
  return sentences(what, `Its acknowledgement is awaited until ${timeOf(nextAt)}.`);
}

function whyRetrying({ notAfter }: TracedWay, { channel, said, nextAt }: TracedPlace): string {
  const last = lastOf(said, ['throttled', 'unreachable', 'locked-out']);
  return sentences(
    last ? lineOf(channel, last) : `${nameOf(channel)} has not taken it yet.`,
    `It is tried again at ${timeOf(nextAt)}, until ${timeOf(notAfter)}.`,
    last?.word === 'locked-out' && CERTIFICATE,
  );
}

const CERTIFICATE = "Look at the app's certificate for this vendor, and save one that it takes.";

function whyWaiting(way: TracedWay, { said, sent }: TracedPlace): string {
  if (way.inboxUntil === null)
    return lastOf(said, ['in-inbox'])
      ? "It waited in the device's inbox, but newer messages have taken its room."
      : "It is about to be put in the device's inbox.";
  return sentences(
    `It waits in the device's inbox until ${timeOf(way.inboxUntil)}, because ${causes(way)}.`,
    sent ? 'It was written to the device, which has not acknowledged it yet.' : 'It arrives when the device connects.',
  );
}

/** Why each of the ways was no good, as one clause. */
function causes({ places, noVendor }: TracedWay): string {
  const native = places.find(({ channel }) => channel === 'nativepush');
  const own = ownCause(native?.said ?? []);
  const vendors = places.filter(({ channel }) => channel !== 'nativepush').map(causeOf);
  return [own, ...(vendors.length > 0 ? vendors : [noVendor])].join(' and ');
}

function causeOf({ channel, said }: Pick<TracedPlace, 'channel' | 'said'>): string {
  const last = lastOf(said, ['token-dead', 'refused', 'quota-spent', 'unbound']);
  const name = nameOf(channel);
  const reason = last?.detail ? ` (${last.detail})` : '';
  switch (last?.word) {
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

const NEW_TOKEN = 'The app tells a new token by `/device/bind` when it is opened.';

function whyEnded(way: TracedWay, { channel, status, said }: TracedPlace): (string | false)[] {
  const name = nameOf(channel);
  const native = channel === 'nativepush';
  switch (status) {
    case placeStatus.cancelled:
      return ['The task was cancelled before it reached this device.'];
    case placeStatus.skipped:
      return [`The device changed hands or was logged out: ${NOT_FOR_OTHERS}.`];
    case placeStatus.expired: {
      if (native) return ["It waited in the device's inbox, and the device did not connect in time."];
      const last = lastOf(said, ['throttled', 'unreachable', 'locked-out']);
      const end = `Its time was over at ${timeOf(way.notAfter)}`;
      return last
        ? [`${end}, and ${name} had not taken it.`, lineOf(channel, last), last.word === 'locked-out' && CERTIFICATE]
        : [`${end}, before it could be sent over ${name}.`];
    }
    case placeStatus.failed:
      if (lastOf(said, ['displaced']))
        return ["Newer messages took its room in the device's inbox before it connected."];
      if (channel === 'none') return [`No channel can reach the device: ${way.noVendor}.`];
      if (native) return [`${upper(ownCause(said))}, and no other channel is left: ${way.noVendor}.`];
      return [`${upper(causeOf({ channel, said }))}, and no other channel is left.`];
    case placeStatus.sent:
      return [];
    default: {
      const clause = native ? ownCause(said) : causeOf({ channel, said });
      return [`${upper(clause)}, and no other channel is left.`, status === placeStatus.dead && NEW_TOKEN];
    }
  }
}

function ownCause(said: readonly SaidOfPlace[]): string {
  const silent = lastOf(said, ['silent']);
  return silent ? `the device did not acknowledge it within ${silent.detail}` : 'the device was not connected';
}

/** One thing that was said of a place, as a sentence. */
export function lineOf(channel: SliceChannel, { word, detail }: SaidOfPlace): string {
  const name = nameOf(channel);
  const colon = detail === null ? '' : `: ${detail}`;
  switch (word) {
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
      // During an upgrade workers may be newer than this, and have words that are not known here yet.
      return Object.hasOwn(lines, word) ? lines[word] : `A newer version of this service says "${word}"${colon}.`;
  }
}

const lines = {
  written: 'It was written to the device.',
  queued: 'The device has too much out that it has not acknowledged; it is written as soon as there is room.',
  'no-answer': 'The gateway did not say whether it wrote it to the device.',
  'no-session': 'The device was not connected.',
  'in-inbox': "It was put in the device's inbox.",
  displaced: 'Newer messages took its room in the inbox.',
  'changed-hands': 'The device had changed hands or was logged out.',
  cancelled: 'The task was cancelled.',
} as const satisfies Partial<Record<Word, string>>;

const names: Readonly<Record<Channel, string>> = {
  apns: 'Apple',
  fcm: 'FCM',
  flyme: 'Meizu',
  honor: 'Honor',
  huawei: 'Huawei',
  nativepush: 'the own channel',
  oppo: 'OPPO',
  vivo: 'vivo',
  xiaomi: 'Xiaomi',
};

const nameOf = (channel: SliceChannel): string => (channel === 'none' ? 'no channel' : names[channel]);

const lastOf = (said: readonly SaidOfPlace[], wanted: readonly Word[]): SaidOfPlace | undefined =>
  said.findLast(({ word }) => wanted.includes(word));

const sentences = (...parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join(' ');

/** vivo writes itself small. */
const upper = (text: string): string =>
  text.startsWith('vivo') ? text : text.slice(0, 1).toUpperCase() + text.slice(1);

export const timeOf = (instant: Date): string => instant.toISOString().replace(/\.\d+Z$/, 'Z');
