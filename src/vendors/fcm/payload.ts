import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidOptions, badgeChange } from '../translate/android-options.ts';
import { byteLengthOf, characterCountOf, fitText } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';

/**
 * Google takes so many bytes of keys and values. Here the whole JSON is counted, quotes and all, without the target: a
 * little less text rather than a refusal.
 */
export const PAYLOAD_BYTES_MAX = 4_096;
/** Four weeks: Google refuses more. */
const TTL_SECONDS_MAX = 2_419_200;

/** The message without its target: what the phone shows under `android`, what the app reads under `data`. */
export function fcmContent(notification: Notification, now: Date): string {
  const { message } = notification;
  const data = appData(notification);
  // A program reads a command: half of one would be worse than none.
  if (message.type === 'cmd')
    return stringifyJson({ data, android: { priority: 'NORMAL', ttl: ttl(notification, now) } });
  return fitText(fullText(message), PAYLOAD_BYTES_MAX, (text) =>
    stringifyJson({
      data,
      android: { priority: 'HIGH', ttl: ttl(notification, now), notification: notificationFields(notification, text) },
    }),
  );
}

/** What would be cut off a message, in sentences, whatever task and device it goes out for. */
export function fcmCuts(message: Message): string[] {
  const content = fcmContent({ ...LONGEST_NOTIFICATION, message }, new Date(0));
  if (byteLengthOf(content) > PAYLOAD_BYTES_MAX)
    return [`It may be refused: even without its text it has more than Google's ${PAYLOAD_BYTES_MAX} bytes.`];
  if (message.type === 'cmd') return [];
  const { android } = JSON.parse(content) as { android: { notification: { body?: string } } };
  const [fullCount, shownCount] = [
    characterCountOf(fullText(message)),
    characterCountOf(android.notification.body ?? ''),
  ];
  return fullCount === shownCount
    ? []
    : [`The text is cut to ${shownCount} of its ${fullCount} characters: Google takes ${PAYLOAD_BYTES_MAX} bytes.`];
}

/** Whatever differs from one device to the next, as long as it can be. */
const LONGEST_NOTIFICATION = {
  taskId: 2n ** 53n - 1n,
  deviceId: 0n,
  reference: `${2n ** 53n - 1n}.63.2147483647`,
  badge: undefined,
  notAfter: new Date(TTL_SECONDS_MAX * 1_000),
} as const;

/** Android unfolds a long text by itself, so `big_text` is the text when there is one. */
const fullText = (message: Message): string => message.big_text ?? message.body ?? '';

function notificationFields({ taskId, message }: Notification, text: string): object {
  const { sound, channel_id, intent } = androidOptions(message, 'fcm');
  const { title, badge, type, attachment_url } = message;
  const action = actionOf(intent);
  return {
    ...(title !== undefined && { title }),
    ...(text !== '' && { body: text }),
    // The same for every attempt, so that one sent twice replaces itself on the screen.
    tag: taskId.toString(),
    ...notificationCount(badge),
    ...soundOf(sound),
    ...(channel_id !== undefined && { channel_id }),
    ...(action !== undefined && { click_action: action }),
    ...(type === 'image' && isHttps(attachment_url) && { image: attachment_url }),
  };
}

/** All values are texts. `ext` stays in a key of its own: spread out it could meet a name that Google keeps for itself. */
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

/** Launchers add up the counts of what is on the screen. Zero means nothing to Google: only the app can clear a badge. */
function notificationCount(badge: string): object {
  const change = badgeChange(badge);
  const count = 'set' in change ? change.set : change.add;
  return count > 0 ? { notification_count: count } : {};
}

/** From Android 8 on the channel decides, and none of this is looked at. */
function soundOf(sound = 'default'): object {
  if (sound === 'none') return {};
  return sound === 'default' ? { default_sound: true } : { sound };
}

/** Google opens what answers to an action, and no URI; without one it opens the app, which finds the URI in its data. */
function actionOf(intent = ''): string | undefined {
  const [, ...parts] = intent.slice(Math.max(intent.indexOf('#Intent;'), 0)).split(';');
  return parts.find((part) => /^action=./.test(part))?.slice('action='.length);
}

const isHttps = (url = ''): boolean => /^https:\/\//i.test(url);

function ttl({ notAfter }: Notification, now: Date): string {
  const seconds = Math.floor((notAfter.getTime() - now.getTime()) / 1_000);
  return `${Math.min(Math.max(seconds, 0), TTL_SECONDS_MAX)}s`;
}
