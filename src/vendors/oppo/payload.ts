import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { androidData, displayTexts, displayWindow, ttlSeconds } from '../translate/android-message.ts';
import { androidOptions, badgeChange } from '../translate/android-options.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import { describeOmittedData, type OptionalData, omittedData, optionalDataOf } from '../translate/optional-data.ts';
import { characterCountOf, cutToLength } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import { clickOf } from './click.ts';
import type { OppoCredentials } from './credentials.ts';
import { isMainlandToken } from './region.ts';

/** Maximum number of characters in `action_parameters`, the data for the app. */
export const ACTION_PARAMETERS_MAX = 4_000;

const TITLE_CHARACTERS_MAX = 50;
const TEXT_CHARACTERS_MAX = 50;
const LARGE_TEXT_CHARACTERS_MAX = 128;
const TTL_SECONDS_MAX = 10 * 24 * 3_600;
/** Largest badge number that launchers display. */
const BADGE_MAX = 99;
const CALLBACK_URL_CHARACTERS_MAX = 200;
const INTENT_CHARACTERS_MAX = 2_000;

type PayloadOptions = Pick<OppoCredentials, 'channelId' | 'category' | 'notifyLevel'>;

/**
 * Returns a list with an entry for each token. The entries differ only in the token. Tokens from other countries are
 * left out.
 */
export function oppoMessages(
  notification: Notification,
  tokens: readonly string[],
  options: PayloadOptions,
  now: Date,
): string {
  const notificationJson = JSON.stringify(notificationOf(notification, options, now));
  const entries = tokens
    .filter(isMainlandToken)
    .map((token) => `{"target_type":2,"target_value":${JSON.stringify(token)},"notification":${notificationJson}}`);
  return `[${entries.join(',')}]`;
}

/**
 * Returns one sentence for each part of a message that is cut, or the reason why OPPO rejects it. The result does not
 * depend on the task.
 */
export function oppoCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  if (message.type === 'cmd') return [texts.noDataOnly('oppo')];
  const { title, content } = textsOf(message);
  if (title.trim() === '' || content.trim() === '') return [texts.titleAndBodyRequired('oppo')];
  const data = actionParameters(longestNotification(message));
  if (data.length > ACTION_PARAMETERS_MAX) return [texts.dataTooLong('oppo', ACTION_PARAMETERS_MAX)];
  if ((androidOptions(message, 'oppo').intent?.length ?? 0) > INTENT_CHARACTERS_MAX)
    return [texts.intentTooLong('oppo', INTENT_CHARACTERS_MAX)];
  return [
    ...(title === displayTexts(message).title ? [] : [texts.titleCut(TITLE_CHARACTERS_MAX)]),
    ...describeTextCut(fullText(message), content, texts.charactersLimit('oppo', LARGE_TEXT_CHARACTERS_MAX), language),
    ...(message.type === 'image' ? [texts.onlyBroadcastImages('oppo')] : []),
    ...describeOmittedData(
      message,
      optionalDataOf(message),
      JSON.parse(data) as object,
      texts.charactersLimit('oppo', ACTION_PARAMETERS_MAX),
      language,
    ),
  ];
}

function notificationOf(notification: Notification, options: PayloadOptions, now: Date): object {
  const { message, taskId, reference, callbackUrl, notAfter } = notification;
  const messageOptions = androidOptions(message, 'oppo');
  return {
    ...textsOf(message),
    // Both IDs are the same for every attempt. OPPO then drops a duplicate, or the device replaces the first
    // notification on the screen.
    app_message_id: taskId.toString(),
    notify_id: notifyIdOf(taskId),
    ...clickOf(messageOptions.intent, notification).action,
    action_parameters: actionParameters(notification),
    off_line: true,
    off_line_ttl: ttlSeconds(notAfter, now, TTL_SECONDS_MAX),
    ...windowOf(notification, now),
    channel_id: messageOptions.channel_id ?? options.channelId,
    ...oppoClass(message, options),
    ...badgeOf(message.badge),
    // OPPO rejects the whole message if the callback URL is too long.
    ...(callbackUrl !== undefined &&
      callbackUrl.length <= CALLBACK_URL_CHARACTERS_MAX && { call_back_url: callbackUrl }),
    call_back_parameter: reference,
  };
}

/** Returns the fields that limit when the phone shows the notification. */
function windowOf(notification: Notification, now: Date): object {
  const window = displayWindow(notification, now);
  return window
    ? { show_time_type: 1, show_start_time: window.start.getTime(), show_end_time: window.end.getTime() }
    : {};
}

const fullText = (message: Message): string => message.big_text ?? displayTexts(message).body;

/**
 * Returns the displayed texts. A data-only message should not reach this function. Its texts are empty, so OPPO rejects
 * it instead of displaying it.
 */
function textsOf(message: Message): { readonly title: string; readonly content: string; readonly style: number } {
  if (message.type === 'cmd') return { title: '', content: '', style: 1 };
  const text = fullText(message);
  const isLarge = message.big_text !== undefined || characterCountOf(text) > TEXT_CHARACTERS_MAX;
  return {
    title: cutToLength(displayTexts(message).title, TITLE_CHARACTERS_MAX, characterCountOf),
    content: cutToLength(text, isLarge ? LARGE_TEXT_CHARACTERS_MAX : TEXT_CHARACTERS_MAX, characterCountOf),
    style: isLarge ? 2 : 1,
  };
}

/**
 * Returns the data for the app and for the page that is opened, as much as OPPO accepts. Carillon's keys override the
 * intent's keys.
 */
function actionParameters(notification: Notification): string {
  const { message } = notification;
  const { extras } = clickOf(androidOptions(message, 'oppo').intent, notification);
  const build = (omitted: readonly OptionalData[]) =>
    JSON.stringify({ ...extras, ...androidData(notification, omitted) });
  return build(
    omittedData(message, optionalDataOf(message), (omitted) => build(omitted).length <= ACTION_PARAMETERS_MAX),
  );
}

/**
 * Returns `category` and `notify_level` of a message. The level in the credentials applies only to the category in the
 * credentials: OPPO rejects marketing with a sound, and any level without a category.
 */
export function oppoClass(
  message: Message,
  options: Pick<PayloadOptions, 'category' | 'notifyLevel'>,
): { readonly category?: string; readonly notify_level?: number | undefined } {
  const { category = options.category, notify_level } = androidOptions(message, 'oppo');
  if (category === undefined) return {};
  const defaultLevel = category === options.category ? options.notifyLevel : undefined;
  return { category, notify_level: notify_level ?? defaultLevel };
}

/** Returns the badge fields, or none for an increment of 0. Without a number, OPPO adds 1. */
function badgeOf(badge: string): object {
  const change = badgeChange(badge);
  if ('set' in change) return { badge_operation_type: 0, badge_message_count: Math.min(change.set, BADGE_MAX) };
  if (change.add === 0) return {};
  if (change.add === 1) return { badge_operation_type: 1 };
  return { badge_operation_type: 1, badge_message_count: Math.min(change.add, BADGE_MAX) };
}
