import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidData, hasHttpsImage } from '../translate/android-message.ts';
import { androidOptions, badgeChange } from '../translate/android-options.ts';
import { describeTextCut } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { describeOmittedData, fitDataAndText, type OptionalData, optionalDataOf } from '../translate/optional-data.ts';
import { byteLengthOf } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';

/**
 * Maximum size of keys and values that Google accepts. Carillon counts the whole JSON except the target, because a
 * slightly shorter text is better than a rejection.
 */
export const PAYLOAD_BYTES_MAX = 4_096;
/** Four weeks, because Google rejects a longer TTL. */
const TTL_SECONDS_MAX = 2_419_200;

/** Returns the body of the request for one device. */
export const fcmBody = (notification: Notification, token: string, now: Date): string =>
  `{"message":{${targetOf(token)},${fcmContent(notification, now).slice(1)}}`;

/**
 * A Firebase installation ID: 17 bytes in base64url, cut to 22 characters, whose first four bits are 0111. Registration
 * tokens are longer and contain a colon. Google does not document that the two cannot be confused.
 */
const INSTALLATION_ID = /^[cdef][\w-]{21}$/;

/**
 * Returns the target field. Since 2026 Google accepts installation IDs in a separate field, and still accepts
 * registration tokens.
 */
const targetOf = (token: string): string =>
  `"${INSTALLATION_ID.test(token) ? 'fid' : 'token'}":${JSON.stringify(token)}`;

/** Returns the message without its target: displayed fields under `android`, data for the app under `data`. */
export function fcmContent(notification: Notification, now: Date): string {
  const { message } = notification;
  const parts = { message, text: fullText(message), bytesMax: PAYLOAD_BYTES_MAX, showsBigText: false };
  return fitDataAndText(parts, (omitted, text) =>
    stringifyJson({
      data: appData(notification, omitted),
      android: {
        priority: text === undefined ? 'NORMAL' : 'HIGH',
        ttl: ttl(notification, now),
        ...(text !== undefined && { notification: notificationFields(notification, text) }),
      },
    }),
  );
}

/**
 * Returns sentences that describe the parts that would be truncated. They apply to every task and device, because the
 * longest values are assumed.
 */
export function fcmCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  const content = fcmContent({ ...LONGEST_NOTIFICATION, message }, new Date(0));
  if (byteLengthOf(content) > PAYLOAD_BYTES_MAX) return [texts.perhapsTooLarge('fcm', PAYLOAD_BYTES_MAX)];
  const limit = texts.bytesLimit('fcm', PAYLOAD_BYTES_MAX);
  const { data, android } = JSON.parse(content) as { data: object; android: { notification?: { body?: string } } };
  const omitted = describeOmittedData(message, optionalDataOf(message, { showsBigText: false }), data, limit, language);
  if (message.type === 'cmd') return omitted;
  return [
    ...describeTextCut(fullText(message), android.notification?.body ?? '', limit, language),
    ...(message.body !== undefined && message.big_text !== undefined ? [texts.bigTextHidden('fcm')] : []),
    ...omitted,
    ...(message.type === 'image' && !hasHttpsImage(message) ? [texts.onlyHttpsImages('fcm')] : []),
  ];
}

/** The longest possible values of the fields that differ between devices. */
const LONGEST_NOTIFICATION = {
  taskId: 2n ** 53n - 1n,
  deviceId: 0n,
  reference: `${2n ** 53n - 1n}.63.2147483647`,
  badge: undefined,
  notAfter: new Date(TTL_SECONDS_MAX * 1_000),
} as const;

/** Returns the displayed text. FCM has no field for `big_text`. */
const fullText = (message: Message): string => message.body ?? message.big_text ?? '';

function notificationFields({ taskId, message }: Notification, text: string): object {
  const { sound, channel_id, intent } = androidOptions(message, 'fcm');
  const { title, badge, type, attachment_url } = message;
  const action = actionOf(intent);
  return {
    ...(title !== undefined && { title }),
    ...(text !== '' && { body: text }),
    // The tag is the same for every attempt, so a duplicate replaces the notification on the screen.
    tag: taskId.toString(),
    ...notificationCount(badge),
    ...soundOf(sound),
    ...(channel_id !== undefined && { channel_id }),
    ...(action !== undefined && { click_action: action }),
    ...(type === 'image' && hasHttpsImage(message) && { image: attachment_url }),
  };
}

function appData(notification: Notification, omitted: readonly OptionalData[]): object {
  const { intent } = androidOptions(notification.message, 'fcm');
  return {
    ...androidData(notification, omitted, { showsBigText: false }),
    ...(intent !== undefined && { intent }),
  };
}

/**
 * Returns the notification count. Launchers add up the counts of the displayed notifications. Google ignores zero, so
 * only the app can clear a badge.
 */
function notificationCount(badge: string): object {
  const change = badgeChange(badge);
  const count = 'set' in change ? change.set : change.add;
  return count > 0 ? { notification_count: count } : {};
}

/** Returns the sound fields. Android 8 and later ignore them, because the channel sets the sound. */
function soundOf(sound = 'default'): object {
  if (sound === 'none') return {};
  return sound === 'default' ? { default_sound: true } : { sound };
}

/**
 * Returns the action of an intent URI. FCM opens an activity by its action, not by a URI. Without an action, FCM opens
 * the app, which finds the URI in its data.
 */
function actionOf(intent = ''): string | undefined {
  const [, ...parts] = intent.slice(Math.max(intent.indexOf('#Intent;'), 0)).split(';');
  return parts.find((part) => /^action=./.test(part))?.slice('action='.length);
}

function ttl({ notAfter }: Notification, now: Date): string {
  const seconds = Math.floor((notAfter.getTime() - now.getTime()) / 1_000);
  return `${Math.min(Math.max(seconds, 0), TTL_SECONDS_MAX)}s`;
}
