import { createHash } from 'node:crypto';
import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidData, displayTexts, displayWindow, ttlSeconds } from '../translate/android-message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { beijingTimeText } from '../translate/beijing-midnight.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { describeOmittedData, type OptionalData, omittedData, optionalDataOf } from '../translate/optional-data.ts';
import { byteLengthOf, characterCountOf, cutToLength } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { FlymeCredentials } from './credentials.ts';
import { readIntent } from './intent.ts';
import type { Parameters } from './signature.ts';

const TITLE_CHARACTERS = 32;
const TEXT_CHARACTERS = 100;
/** Meizu documents no limit; this is the limit of its other texts. */
const LARGE_TEXT_CHARACTERS = 1_000;
/** Length as JSON, in UTF-16 code units. Meizu documents no limit; this is its limit for click targets. */
const PARAMETERS_CHARACTERS = 1_000;
const CALLBACK_BYTES = 128;

/** Meizu measures the lifetime of a message in hours and keeps a message for at most three days. */
export const HOUR_SECONDS = 3_600;
const VALID_HOURS_MAX = 72;

const NOTIFY_KEY_CHARACTERS = 8;

type PayloadOptions = Pick<FlymeCredentials, 'noticeMsgType'>;

/** Returns the form of one request for all tokens, without the signature. */
export const flymeForm = (
  { appId, packageNames }: Pick<FlymeCredentials, 'appId' | 'packageNames'>,
  tokens: readonly string[],
  messageJson: string,
): Parameters => ({
  appId,
  pushIds: tokens.join(','),
  messageJson,
  ...(packageNames.length > 0 && { restrictedPackageNames: packageNames.join(',') }),
});

/** Returns `messageJson`, which is the same for all tokens. */
export function flymeMessage(notification: Notification, options: PayloadOptions, now: Date): string {
  const { message, notAfter, taskId } = notification;
  // Data-only messages should not reach this function. If one does, its title and body are empty, so that Meizu rejects
  // it instead of displaying it.
  const { title, body } = message.type === 'cmd' ? { title: '', body: '' } : displayTexts(message);
  const large = largeText(message);
  const { sound, intent } = androidOptions(message, 'flyme');
  const page = intent === undefined ? undefined : readIntent(intent);
  const validTime = Math.floor(ttlSeconds(notAfter, now, VALID_HOURS_MAX * HOUR_SECONDS) / HOUR_SECONDS);
  return stringifyJson({
    noticeBarInfo: {
      noticeMsgType: message.flyme?.notice_msg_type ?? options.noticeMsgType,
      noticeBarType: 0,
      title: cutTitle(title),
      content: cutText(body),
    },
    clickTypeInfo: {
      ...(page === undefined ? { clickType: 0 } : { clickType: 1, activity: page.activity }),
      parameters: parametersOf(notification, page?.extras),
    },
    // The time is rounded down, so that a message expires too early rather than too late.
    pushTimeInfo: { offLine: 1, validTime: Math.max(validTime, 1) },
    advanceInfo: {
      notificationType: { vibrate: 1, lights: 1, sound: sound === 'none' ? 0 : 1 },
      // The key is the same for every attempt, so that a duplicate replaces the first notification on the screen.
      notifyKey: createHash('sha256').update(taskId.toString()).digest('base64url').slice(0, NOTIFY_KEY_CHARACTERS),
      ...windowOf(notification, now),
    },
    ...(large !== '' && { noticeExpandInfo: { noticeExpandType: 1, noticeExpandContent: cutLargeText(large) } }),
    ...callbackOf(notification),
  });
}

/** Returns the fields that limit when the phone shows the notification. */
function windowOf(notification: Notification, now: Date): object {
  const window = displayWindow(notification, now);
  if (!window) return {};
  const [fixStartDisplayTime, fixEndDisplayTime] = [window.start, window.end].map(beijingTimeText);
  return { fixDisplay: 1, fixStartDisplayTime, fixEndDisplayTime };
}

/** Returns one sentence for each part of a message that is cut, or the reason why Meizu rejects it. */
export function flymeCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  if (message.type === 'cmd') return [texts.noDataOnly('flyme')];
  const { title, body } = displayTexts(message);
  if (body === '') return [texts.bodyRequired('flyme')];
  const { intent } = androidOptions(message, 'flyme');
  const parameters = parametersOf(longestNotification(message), intent === undefined ? {} : readIntent(intent)?.extras);
  const large = largeText(message);
  return [
    ...(cutTitle(title) === title ? [] : [texts.titleCut(TITLE_CHARACTERS)]),
    ...describeTextCut(body, cutText(body), texts.charactersLimit('flyme', TEXT_CHARACTERS), language),
    ...(cutLargeText(large) === large ? [] : [texts.bigTextCut(LARGE_TEXT_CHARACTERS)]),
    ...(message.type === 'image' ? [texts.onlyOwnImages('flyme')] : []),
    ...describeOmittedData(
      message,
      optionalDataOf(message),
      parameters,
      texts.charactersLimit('flyme', PARAMETERS_CHARACTERS),
      language,
    ),
  ];
}

const cutTitle = (title: string): string => cutToLength(title, TITLE_CHARACTERS, characterCountOf);
const cutText = (text: string): string => cutToLength(text, TEXT_CHARACTERS, characterCountOf);
const cutLargeText = (text: string): string => cutToLength(text, LARGE_TEXT_CHARACTERS, characterCountOf);

/**
 * Returns the expanded text, which may be empty. If there is no body, `big_text` is used as the body. It is also the
 * expanded text if it is too long for the body.
 */
function largeText({ type, body, big_text = '' }: Message): string {
  const hasLargeText = body !== undefined || characterCountOf(big_text) > TEXT_CHARACTERS;
  return type !== 'cmd' && hasLargeText ? big_text : '';
}

/** Returns the data for the app and for the page that is opened, as much as Meizu accepts. */
function parametersOf(
  notification: Notification,
  extras: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const build = (omitted: readonly OptionalData[]) => ({ ...extras, ...androidData(notification, omitted) });
  return build(
    omittedData(
      notification.message,
      optionalDataOf(notification.message),
      (omitted) => JSON.stringify(build(omitted)).length <= PARAMETERS_CHARACTERS,
    ),
  );
}

/**
 * Returns the callback settings. Type 1 reports deliveries, 2 reports clicks (which imply delivery), and 3 reports
 * both.
 */
function callbackOf({ callbackUrl, reference }: Notification): object {
  // Meizu rejects the whole message if it does not accept the callback URL.
  if (callbackUrl === undefined || byteLengthOf(callbackUrl) > CALLBACK_BYTES) return {};
  return { extra: { callback: callbackUrl, 'callback.param': reference, 'callback.type': '3' } };
}
