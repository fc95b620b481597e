import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidData, displayTexts, hasHttpsImage, ttlSeconds } from '../translate/android-message.ts';
import { androidOptions, type BadgeChange, badgeChange } from '../translate/android-options.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import {
  describeOmittedData,
  type OptionalData,
  omittedData,
  optionalDataOf,
  shortestText,
} from '../translate/optional-data.ts';
import { withTapExtras } from '../translate/tap-extras.ts';
import { byteLengthOf, characterCountOf, cutToLength, fitText } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { HuaweiCredentials } from './credentials.ts';

/** Maximum size of the request body. Huawei does not count the tokens. */
export const PAYLOAD_BYTES_MAX = 4_096;

/** Huawei keeps a message for at most 15 days. */
const TTL_SECONDS_MAX = 15 * 24 * 3_600;
/** Largest badge number that launchers display. */
const BADGE_MAX = 99;
const FOLDED_CHARACTERS = 256;

type PayloadOptions = Pick<HuaweiCredentials, 'isTest' | 'category' | 'importance' | 'channelId'>;

interface Texts {
  readonly title: string;
  readonly body: string;
  /** Text of the expanded notification; empty if it equals the collapsed text. */
  readonly big: string;
}

/** Returns the body of one request for all tokens. */
export function huaweiBody(
  notification: Notification,
  tokens: readonly string[],
  options: PayloadOptions,
  now: Date,
): string {
  const { message } = notification;
  const bytesMax = PAYLOAD_BYTES_MAX + byteLengthOf(JSON.stringify(tokens));
  const build = (omitted: readonly OptionalData[], texts?: Texts) =>
    stringifyJson({
      validate_only: false,
      message: {
        data: stringifyJson(androidData(notification, omitted)),
        android: androidConfig(notification, texts, options, now),
        token: tokens,
      },
    });
  const { title, body } = foldedTexts(message);
  const shortest = message.type === 'cmd' ? undefined : { title, body: shortestText(body), big: '' };
  const omitted = omittedData(
    message,
    optionalDataOf(message),
    (fields) => byteLengthOf(build(fields, shortest)) <= bytesMax,
  );
  if (message.type === 'cmd') return build(omitted);
  const fullBody = fitText(message.big_text ?? '', bytesMax, (big) => build(omitted, { title, body, big }));
  // If the collapsed text alone is too long, there is no room for the expanded text.
  return byteLengthOf(fullBody) <= bytesMax
    ? fullBody
    : fitText(body, bytesMax, (cutBody) => build(omitted, { title, body: cutBody, big: '' }));
}

/**
 * Returns the title and body of the collapsed notification. It shows one or two lines, so a long body would only take
 * space from the expanded text.
 */
function foldedTexts(message: Message): { readonly title: string; readonly body: string } {
  const { title, body } = displayTexts(message);
  return {
    title,
    body: message.big_text === undefined ? body : cutToLength(body, FOLDED_CHARACTERS, characterCountOf),
  };
}

/**
 * Returns one sentence for each part of a message that is cut, or the reason why Huawei rejects it. The result does not
 * depend on the task.
 */
export function huaweiCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  const options = { isTest: true, category: 'x'.repeat(64), importance: 'NORMAL', channelId: 'x'.repeat(64) } as const;
  const body = huaweiBody(longestNotification(message), [], options, new Date(0));
  if (byteLengthOf(body) > PAYLOAD_BYTES_MAX + '[]'.length)
    return [texts.tooLargeWithoutText('huawei', PAYLOAD_BYTES_MAX)];
  const limit = texts.bytesLimit('huawei', PAYLOAD_BYTES_MAX);
  const { data, android } = (
    JSON.parse(body) as { message: { data: string; android: { notification: Record<string, string> } } }
  ).message;
  const omitted = describeOmittedData(message, optionalDataOf(message), JSON.parse(data) as object, limit, language);
  if (message.type === 'cmd') return omitted;
  const { body: folded = '', big_body: unfolded = folded } = android.notification;
  if (folded === '') return [texts.bodyRequired('huawei')];
  return [
    ...describeTextCut(message.big_text ?? displayTexts(message).body, unfolded, limit, language),
    ...omitted,
    ...(message.type === 'image' && !hasHttpsImage(message) ? [texts.onlyHttpsImages('huawei')] : []),
  ];
}

function androidConfig(
  notification: Notification,
  texts: Texts | undefined,
  options: PayloadOptions,
  now: Date,
): object {
  const { message, reference, notAfter } = notification;
  // A data-only message does not get the class of the credentials, because most classes are for displayed
  // notifications.
  const category = androidOptions(message, 'huawei').category ?? (texts && options.category);
  return {
    ttl: `${ttlSeconds(notAfter, now, TTL_SECONDS_MAX)}s`,
    bi_tag: reference,
    ...(category !== undefined && { category }),
    ...(options.isTest && { target_user_type: 1 }),
    ...(texts && { notification: notificationFields(notification, texts, options) }),
  };
}

function notificationFields(notification: Notification, { title, body, big }: Texts, options: PayloadOptions): object {
  const { message, taskId } = notification;
  const messageOptions = androidOptions(message, 'huawei');
  const { channel_id = options.channelId, importance = options.importance } = messageOptions;
  return {
    title,
    body,
    ...(big !== '' && { style: 1, big_title: title, big_body: big }),
    ...(message.type === 'image' && hasHttpsImage(message) && { image: message.attachment_url }),
    ...soundOf(messageOptions.sound),
    ...(channel_id !== undefined && { channel_id }),
    ...(importance !== undefined && { importance }),
    click_action:
      messageOptions.intent === undefined
        ? { type: 3 }
        : { type: 1, intent: withTapExtras(messageOptions.intent, notification) },
    // Without the class of the launcher entry Huawei cannot find the icon for the badge.
    ...(messageOptions.badge_class !== undefined && {
      badge: badgeOf(badgeChange(message.badge), messageOptions.badge_class),
    }),
    // Both are the same for every attempt, so that a duplicate replaces the first notification on the screen. The
    // number also identifies the notification in a recall.
    tag: taskId.toString(),
    notify_id: notifyIdOf(taskId),
  };
}

function badgeOf(change: BadgeChange, launcherClass: string): object | undefined {
  if ('set' in change) return { set_num: Math.min(change.set, BADGE_MAX), class: launcherClass };
  // An increment of 0 cannot be sent: Huawei adds 1 if the number is missing.
  if (change.add === 0) return undefined;
  return { add_num: Math.min(change.add, BADGE_MAX), class: launcherClass };
}

/** Returns the sound fields. A sound is a file in the app's raw resources; `none` means silence. */
function soundOf(sound: string | undefined): object {
  if (sound === undefined || sound === 'default') return { default_sound: true };
  if (sound === 'none') return { default_sound: false };
  const name = sound.replace(/^\/?raw\//, '').replace(/\.\w+$/, '');
  return { default_sound: false, sound: `/raw/${name}` };
}
