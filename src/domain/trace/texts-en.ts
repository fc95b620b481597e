import { vendorFacts } from '../channel.ts';
import type { SliceChannel } from '../slice.ts';
import type { TraceCode } from './trace-events.ts';

/** Describes one event of a place. `name` is the channel, and `detail` the reason in its own words. */
type EventSentence = (name: string, detail: string | null) => string;

/** English sentences of traces. Names that end with `Clause` are parts of sentences, without a capital and a period. */
export const traceTextsEn = {
  channelName: (channel: SliceChannel): string => {
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
  },
  joinSentences: (sentences: readonly string[]): string => sentences.join(' '),
  joinClauses: (clauses: readonly string[]): string => clauses.join(' and '),

  acknowledged: 'Delivered: the device acknowledged the notification on the Carillon channel.',
  acknowledgedThrough: (name: string): string =>
    `Delivered through ${name}: the app or the vendor reported that the device received the notification.`,

  acceptedWithoutReceipts: (name: string, at: string | null): string =>
    `${name} accepted the notification${atTime(at)} but does not report delivery. The app has not sent a receipt with /device/receipt.`,
  acceptedBeforeReceipt: (name: string, at: string | null): string =>
    `${name} accepted the notification${atTime(at)} but has not reported delivery yet.`,
  checkSettings: 'If the user did not see the notification, check the notification settings of the app on the device.',
  notificationsDenied: (at: string): string =>
    `The app reported at ${at} that the phone does not allow it to display notifications. Ask the user to allow them in the settings of the phone.`,
  missingVendorTokens: (at: string, vendors: readonly string[]): string =>
    `The app reported at ${at} that it received no vendor token: ${vendors.join(', ')}.`,
  vendorError: (name: string, error: string): string => `${name} (${error})`,
  lastSeen: (day: string): string => `The device last connected or logged in on ${day}.`,
  neverAcknowledged: 'The notification was written to the device, which never acknowledged it.',

  cancelling: 'The task was cancelled. Its remaining deliveries are being stopped.',
  loggedOut: (day: string): string => `The device was logged out on ${day}, so it does not receive this notification.`,
  loggedInAgain: (at: string): string =>
    `The device was logged out before delivery, and the user logged in on it again at ${at}. It receives only notifications that are sent after this login.`,
  beingSent: (name: string): string => `The notification is being sent through ${name} now.`,
  aboutToBeSent: (name: string): string => `The notification is about to be sent through ${name}.`,
  rejectedSince: (name: string, since: string, reason: string): string =>
    `${capitalize(name)} has rejected the app's credentials since ${since} (${reason}).`,
  unavailableSince: (name: string, since: string, reason: string): string =>
    `${capitalize(name)} has been unavailable since ${since} (${reason}).`,
  channelPaused: (expiresAt: string): string =>
    `The channel is paused until a probe succeeds. The notification expires at ${expiresAt}.`,
  checkCredentials: "Check the app's credentials for this vendor and save valid ones with /admin/certificate/save.",
  waitsForAcknowledgement: (until: string): string => `Carillon waits for the acknowledgement until ${until}.`,
  notAcceptedYet: (name: string): string => `${name} has not accepted the notification yet.`,
  retries: (at: string, expiresAt: string): string =>
    `Carillon retries at ${at}. The notification expires at ${expiresAt}.`,

  displacedWhileWaiting: "The notification waited in the device's inbox, but newer notifications displaced it.",
  aboutToEnterInbox: "The notification is about to be put in the device's inbox.",
  waitsInInbox: (until: string, reasons: string): string =>
    `The notification waits in the device's inbox until ${until}, because ${reasons}.`,
  notAcknowledgedYet: 'The notification was written to the device, which has not acknowledged it yet.',
  receivesWhenConnected: 'The device receives the notification when it connects.',

  cancelledBefore: 'The task was cancelled before it reached this device.',
  expiredInInboxUnseen: 'The device did not connect before the notification expired in its inbox.',
  expiredBeforeAccepted: (at: string, name: string): string =>
    `The notification expired at ${at} before ${name} accepted it.`,
  expiredBeforeSent: (at: string, name: string): string =>
    `The notification expired at ${at} before it could be sent through ${name}.`,
  displacedUnseen: "Newer notifications displaced this one in the device's inbox before the device connected.",
  noChannel: (reason: string): string => `No channel can reach the device: ${reason}.`,
  noOtherChannel: (clause: string): string => `${capitalize(clause)}, and no other channel is left.`,
  noOtherChannelBecause: (clause: string, reason: string): string =>
    `${capitalize(clause)}, and no other channel is left: ${reason}.`,
  rebind: 'Open the app on the device so that it registers a new vendor token with `/device/bind`.',

  tokenInvalidClause: (name: string, detail: string | null): string =>
    `${name} reported the vendor token as invalid${inParentheses(detail)}`,
  rejectedClause: (name: string, detail: string | null): string =>
    `${name} rejected the notification${inParentheses(detail)}`,
  quotaClause: (name: string): string => `the daily quota at ${name} is used up`,
  unboundClause: (name: string): string => `the device no longer has a vendor token for ${name}`,
  notAcceptedClause: (name: string): string => `${name} did not accept the notification`,
  ackTimeoutClause: (detail: string | null): string =>
    `the device did not acknowledge the notification within ${detail}`,
  notConnectedClause: 'the device was not connected',

  events: {
    accepted: (name, detail) =>
      detail === null
        ? `${name} accepted the notification.`
        : `${name} accepted the notification with message ID ${detail}.`,
    'token-dead': (name, detail) => `${name} reported the vendor token as invalid${afterColon(detail)}.`,
    refused: (name, detail) => `${name} rejected the notification${afterColon(detail)}.`,
    'locked-out': (name, detail) => `${name} rejected the app's credentials${afterColon(detail)}.`,
    'quota-spent': (name, detail) => `The daily quota at ${name} is used up${afterColon(detail)}.`,
    throttled: (name, detail) => `${name} throttled the request${afterColon(detail)}.`,
    unreachable: (name, detail) => `${name} did not return a clear response${afterColon(detail)}.`,
    interrupted: (name) =>
      `The worker stopped before it recorded the response of ${name}, so the notification was sent again. A device that received it twice shows it once.`,
    unbound: (name) => `The device no longer has a vendor token for ${name}.`,
    written: () => 'The notification was written to the device.',
    queued: () => 'The device has too many unacknowledged notifications. This one is written as soon as there is room.',
    'no-answer': () => 'The gateway did not report whether it wrote the notification to the device.',
    silent: (_, detail) => `The device did not acknowledge the notification within ${detail}.`,
    'no-session': () => 'The device was not connected.',
    'in-inbox': () => "The notification was put in the device's inbox.",
    expired: (name) => `The notification expired before ${name} accepted it.`,
    displaced: () => 'Newer notifications displaced this one in the inbox.',
    'logged-out': () => 'The device was logged out.',
    cancelled: () => 'The task was cancelled.',
  } satisfies Record<TraceCode, EventSentence> as Readonly<Record<TraceCode, EventSentence>>,
  expiredInInbox: 'The notification expired in the inbox.',
  newerEvent: (code: string, detail: string | null): string =>
    `A newer version of Carillon recorded "${code}"${afterColon(detail)}.`,

  heldUntil: (time: string): string => `The task is held until ${time}.`,
  cancelledBeforeExpansion: 'The task was cancelled before its audience was resolved to devices.',
  notExpanded: 'The task was accepted, but its audience is not resolved to devices yet. Try again in a moment.',
  noUser: (day: string): string =>
    `The device was logged out on ${day}. A device without a user receives no notifications.`,
  neverLoggedIn:
    "The user has never logged in on a device in this app. Check that the app starts Carillon after the user's consent, and logs in with this user ID.",
  notLoggedIn: 'The user is not logged in on any device in this app. Ask the user to open the app and log in.',
  loggedInAfter: (loggedInAt: string, dueAt: string): string =>
    `The device's owner logged in on it at ${loggedInAt}, after the task was due at ${dueAt}.`,
  matchesOnlyNow: 'The device belongs to the audience now, but did not when the task was sent.',
  otherTags: 'The task was sent to tags, and the device has none of them.',
  otherAliases: 'The task was sent to aliases, and the device has none of them.',
  otherUsers: "The task was sent to users, and the device's owner is not one of them.",
  otherPushTokens: 'The task was sent to push tokens, and the push token of the device is not one of them.',
  limitedToGroup: (groupId: bigint): string => `The task was limited to the members of group ${groupId}.`,

  onlyVendorsClause: 'the task uses only vendor channels',
  notSeenClause: (days: number): string => `the device has not connected or logged in for ${days} days`,
  onlyCarillonClause: 'the task uses only the Carillon channel',
  noVendorTokenClause: 'no vendor token is registered',
  noCredentialsClause: 'the app has no credentials that match the vendor tokens of the device',
  noVendorTriedClause: 'no vendor channel was tried',
  unsuitableVendorsClause: 'the vendors of the device are not in ospush_sequence or do not support this message type',
};

/** The sentences of traces in one language. */
export type TraceTexts = typeof traceTextsEn;

/** The brand name "vivo" starts with a lower-case letter. */
function capitalize(text: string): string {
  return text.startsWith('vivo') ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
}
function atTime(time: string | null): string {
  return time === null ? '' : ` at ${time}`;
}
function inParentheses(detail: string | null): string {
  return detail ? ` (${detail})` : '';
}
function afterColon(detail: string | null): string {
  return detail === null ? '' : `: ${detail}`;
}
