import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidOptions, badgeChange } from '../translate/android-options.ts';
import { byteLengthOf, characterCountOf, fitText } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';

/**
 * Maximum size of keys and values that Google accepts. Carillon counts the whole JSON except the target, because a
 * slightly shorter text is better than a rejection.
 */
export const PAYLOAD_BYTES_MAX = 4_096;
/** Four weeks, because Google rejects a longer TTL. */
const TTL_SECONDS_MAX = 2_419_200;

/** Returns the message without its target: displayed fields under `android`, data for the app under `data`. */
export function fcmContent(notification: Notification, now: Date): string {
  const { message } = notification;
  const data = appData(notification);
  // A data-only message is not truncated, because the app could not parse truncated data.
  if (message.type === 'cmd')
    return stringifyJson({ data, android: { priority: 'NORMAL', ttl: ttl(notification, now) } });
  return fitText(fullText(message), PAYLOAD_BYTES_MAX, (text) =>
    stringifyJson({
      data,
      android: { priority: 'HIGH', ttl: ttl(notification, now), notification: notificationFields(notification, text) },
    }),
  );
}

/**
 * Returns sentences that describe the parts that would be truncated. They apply to every task and device, because the
 * longest values are assumed.
 */
export function fcmCuts(message: Message): string[] {
  const content = fcmContent({ ...LONGEST_NOTIFICATION, message }, new Date(0));
  if (byteLengthOf(content) > PAYLOAD_BYTES_MAX)
    return [
      `The message may be rejected: even without its text it is larger than Google's limit of ${PAYLOAD_BYTES_MAX} bytes.`,
    ];
  if (message.type === 'cmd') return [];
  const { android } = JSON.parse(content) as { android: { notification: { body?: string } } };
  const [fullCount, shownCount] = [
    characterCountOf(fullText(message)),
    characterCountOf(android.notification.body ?? ''),
  ];
  return fullCount === shownCount
    ? []
    : [`The text is cut to ${shownCount} of its ${fullCount} characters: Google accepts ${PAYLOAD_BYTES_MAX} bytes.`];
}

/** The longest possible values of the fields that differ between devices. */
const LONGEST_NOTIFICATION = {
  taskId: 2n ** 53n - 1n,
  deviceId: 0n,
  reference: `${2n ** 53n - 1n}.63.2147483647`,
  badge: undefined,
  notAfter: new Date(TTL_SECONDS_MAX * 1_000),
} as const;

/**
 * Returns `big_text`, or the body if it is not set. A separate field is not needed, because Android expands long text
 * automatically.
 */
const fullText = (message: Message): string => message.big_text ?? message.body ?? '';

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
    ...(type === 'image' && isHttps(attachment_url) && { image: attachment_url }),
  };
}

/**
 * Returns the data for the app; all values are strings. `ext` has a separate key, because its keys could otherwise
 * collide with names that Google reserves.
 */
function appData({ taskId, reference, message }: Notification): object {
  const { title, body, badge, attachment_url, ext, type } = message;
  const { intent } = androidOptions(message, 'fcm');
  const change = badgeChange(badge);
  return {
    mid: taskId.toString(),
    reference,
    ...(type === 'cmd' && title !== undefined && { title }),
    ...(type === 'cmd' && body !== undefined && { body }),
    ...(attachment_url !== undefined && { attachment_url }),
    ...(ext !== undefined && { ext: stringifyJson(ext) }),
    ...('set' in change && { badge: change.set.toString() }),
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

const isHttps = (url = ''): boolean => /^https:\/\//i.test(url);

function ttl({ notAfter }: Notification, now: Date): string {
  const seconds = Math.floor((notAfter.getTime() - now.getTime()) / 1_000);
  return `${Math.min(Math.max(seconds, 0), TTL_SECONDS_MAX)}s`;
}
