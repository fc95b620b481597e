import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidData, displayTexts, hasHttpsImage, ttlSeconds } from '../translate/android-message.ts';
import { androidOptions, type BadgeChange, badgeChange } from '../translate/android-options.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { describeOmittedData, fitDataAndText, optionalDataOf } from '../translate/optional-data.ts';
import { withTapExtras } from '../translate/tap-extras.ts';
import { byteLengthOf, jsonByteLengthOf } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { HonorCredentials } from './credentials.ts';

/**
 * Huawei's limit, because Honor's service is derived from Huawei's and Honor's own page was not available. The tokens
 * do not count towards the limit.
 */
export const PAYLOAD_BYTES_MAX = 4_096;

/** Honor keeps a message for at most 15 days. */
const TTL_SECONDS_MAX = 15 * 24 * 3_600;
/** Largest badge number that launchers display. */
const BADGE_MAX = 99;

type PayloadOptions = Pick<HonorCredentials, 'isTest' | 'importance'>;

/** Returns the body of one request for all tokens. */
export function honorBody(
  notification: Notification,
  tokens: readonly string[],
  options: PayloadOptions,
  now: Date,
): string {
  const { message } = notification;
  const bytesMax = PAYLOAD_BYTES_MAX + byteLengthOf(JSON.stringify(tokens));
  // The request contains `big_text` twice, so each character counts twice.
  const lengthOf = (text: string) => jsonByteLengthOf(text) * (message.big_text === undefined ? 1 : 2);
  return fitDataAndText({ message, text: fullText(message), bytesMax, lengthOf }, (omitted, text) =>
    stringifyJson({
      data: stringifyJson(androidData(notification, omitted)),
      android: androidConfig(notification, text, options, now),
      token: tokens,
    }),
  );
}

/**
 * Returns one sentence for each part of a message that is cut, or the reason why Honor rejects it. The result does not
 * depend on the task.
 */
export function honorCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  const body = honorBody(longestNotification(message), [], { isTest: true, importance: 'NORMAL' }, new Date(0));
  if (byteLengthOf(body) > PAYLOAD_BYTES_MAX + '[]'.length)
    return [texts.tooLargeWithoutText('honor', PAYLOAD_BYTES_MAX)];
  const limit = texts.bytesLimit('honor', PAYLOAD_BYTES_MAX);
  const { data, android } = JSON.parse(body) as { data: string; android: { notification: { body: string } } };
  const omitted = describeOmittedData(message, optionalDataOf(message), JSON.parse(data) as object, limit, language);
  if (message.type === 'cmd') return omitted;
  if (android.notification.body === '') return [texts.bodyRequired('honor')];
  return [
    ...describeTextCut(fullText(message), android.notification.body, limit, language),
    ...omitted,
    ...(message.type === 'image' && !hasHttpsImage(message) ? [texts.onlyHttpsImages('honor')] : []),
  ];
}

/** Honor requires the collapsed text and the expanded text to be equal. */
const fullText = (message: Message): string => message.big_text ?? displayTexts(message).body;

function androidConfig(
  notification: Notification,
  text: string | undefined,
  options: PayloadOptions,
  now: Date,
): object {
  const { reference, notAfter } = notification;
  return {
    ttl: `${ttlSeconds(notAfter, now, TTL_SECONDS_MAX)}s`,
    biTag: reference,
    ...(options.isTest && { targetUserType: 1 }),
    ...(text !== undefined && { notification: notificationFields(notification, text, options) }),
  };
}

function notificationFields(notification: Notification, text: string, options: PayloadOptions): object {
  const { message, taskId } = notification;
  const { intent, badge_class, category } = androidOptions(message, 'honor');
  const { title } = displayTexts(message);
  return {
    title,
    body: text,
    ...(message.big_text !== undefined && text !== '' && { style: 1, bigTitle: title, bigBody: text }),
    ...(message.type === 'image' && hasHttpsImage(message) && { image: message.attachment_url }),
    importance: category === 'LOW' || category === 'NORMAL' ? category : options.importance,
    clickAction: intent === undefined ? { type: 3 } : { type: 1, intent: withTapExtras(intent, notification) },
    // Without the class of the launcher entry Honor cannot find the icon for the badge.
    ...(badge_class !== undefined && { badge: badgeOf(badgeChange(message.badge), badge_class) }),
    // The tag is the same for every attempt, so that a duplicate replaces the first notification on the screen.
    tag: taskId.toString(),
  };
}

function badgeOf(change: BadgeChange, badgeClass: string): object | undefined {
  if ('set' in change) return { setNum: Math.min(change.set, BADGE_MAX), badgeClass };
  // An increment of 0 cannot be sent: Honor adds 1 if the number is missing.
  if (change.add === 0) return undefined;
  return { addNum: Math.min(change.add, BADGE_MAX), badgeClass };
}
