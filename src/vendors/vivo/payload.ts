import { createHash } from 'node:crypto';
import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { androidData, displayTexts, displayWindow, ttlSeconds } from '../translate/android-message.ts';
import { androidOptions, badgeChange } from '../translate/android-options.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import { describeOmittedData, type OptionalData, omittedData, optionalDataOf } from '../translate/optional-data.ts';
import { withTapExtras } from '../translate/tap-extras.ts';
import { characterCountOf, cutToLength } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { VivoCredentials } from './credentials.ts';

const TITLE_CHARACTERS = 40;
const TEXT_CHARACTERS = 100;
/**
 * Maximum total length of all keys and values. vivo does not document how it counts characters, so Carillon counts
 * UTF-16 code units.
 */
const MAP_CHARACTERS = 1_024;

/**
 * vivo keeps a message for at most a day. The minimum is longer for a message to a list than for a message to a single
 * device.
 */
const TTL_SECONDS_MAX = 24 * 3_600;
export const TTL_SECONDS_MIN = 60;
const LIST_TTL_SECONDS_MIN = 15 * 60;

const INTENT_CHARACTERS = 2_048;
const REQUEST_ID_CHARACTERS = 64;
const HASH_CHARACTERS = 12;

type PayloadOptions = Omit<VivoCredentials, 'authToken'>;

/** vivo's classes by kind: operational (0) and system (1). Requests contain both class and kind, which must agree. */
const categories = [
  ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'],
  ['IM', 'ACCOUNT', 'TODO', 'DEVICE_REMINDER', 'ORDER', 'SUBSCRIPTION'],
] as const;

/** Returns a message for one device. */
export function vivoSinglePayload(
  notification: Notification,
  token: string,
  options: PayloadOptions,
  now: Date,
): object {
  return {
    appId: options.appId,
    regId: token,
    ...notificationFields(notification, options, now),
    timeToLive: ttl(notification, now, TTL_SECONDS_MIN),
    requestId: requestId(notification, [token]),
  };
}

/** Returns a message that vivo saves for a list of devices. */
export function vivoSavedPayload(notification: Notification, options: PayloadOptions, now: Date): object {
  return {
    appId: options.appId,
    ...notificationFields(notification, options, now),
    timeToLive: ttl(notification, now, LIST_TTL_SECONDS_MIN),
    requestId: requestId(notification, []),
  };
}

/** Returns the list of devices for a message that vivo has saved. */
export function vivoListPayload(
  notification: Notification,
  tokens: readonly string[],
  { appId, isTest }: PayloadOptions,
  taskId: string,
): object {
  const pushMode = vivoPushMode(notification.message, isTest);
  return {
    appId,
    taskId,
    regIds: tokens,
    requestId: requestId(notification, tokens),
    // vivo's SDK also sends this field with the list of devices. The documentation does not mention it.
    ...(pushMode === 1 && { pushMode }),
  };
}

/** Returns one sentence for each part of a message that is cut, or the reason why vivo rejects it. */
export function vivoCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  if (message.type === 'cmd') return [texts.noDataOnly('vivo')];
  const { title, body } = displayTexts(message);
  const shownTitle = cutTitle(title);
  if (body === '') return [texts.bodyRequired('vivo')];
  if ((androidOptions(message, 'vivo').intent?.length ?? 0) > INTENT_CHARACTERS)
    return [texts.intentTooLong('vivo', INTENT_CHARACTERS)];
  const map = customMap(longestNotification(message));
  return [
    ...(shownTitle === title ? [] : [texts.titleCut(TITLE_CHARACTERS)]),
    ...describeTextCut(body, cutText(body), texts.charactersLimit('vivo', TEXT_CHARACTERS), language),
    ...(message.body !== undefined && message.big_text !== undefined ? [texts.bigTextHidden('vivo')] : []),
    ...(message.type === 'image' ? [texts.noImages('vivo')] : []),
    ...describeOmittedData(
      message,
      optionalDataOf(message, { showsBigText: false }),
      map,
      texts.charactersLimit('vivo', MAP_CHARACTERS),
      language,
    ),
  ];
}

function notificationFields(notification: Notification, options: PayloadOptions, now: Date): object {
  const { message, taskId, reference } = notification;
  // Data-only messages should not reach this function. If one does, its title and body are empty, so that vivo rejects
  // it instead of displaying it.
  const { title, body } = message.type === 'cmd' ? { title: '', body: '' } : displayTexts(message);
  const { sound, intent } = androidOptions(message, 'vivo');
  return {
    notifyType: sound === 'none' ? 1 : 4,
    title: cutTitle(title),
    content: cutText(body),
    ...(intent === undefined
      ? { skipType: 1 }
      : { skipType: 4, skipContent: withTapExtras(intent, notification, INTENT_CHARACTERS) }),
    ...vivoClass(message, options),
    clientCustomMap: customMap(notification),
    ...(options.callbackId !== undefined && {
      extra: { 'callback.id': options.callbackId, 'callback.param': reference },
    }),
    pushMode: vivoPushMode(message, options.isTest),
    // vivo can only add 1.
    ...(options.addsBadge && isIncrease(message.badge) && { addBadge: true }),
    notifyId: notifyIdOf(taskId),
    ...windowOf(notification, now),
  };
}

/** Returns the time in which the phone shows the notification, because the shortest lifetime of a list is 15 minutes. */
function windowOf(notification: Notification, now: Date): object {
  const window = displayWindow(notification, now);
  if (!window) return {};
  const { start, end } = window;
  return { timedDisplay: { showStartTime: start.getTime(), showEndTime: end.getTime(), overtimeDisplay: false } };
}

const isIncrease = (badge: string): boolean => {
  const change = badgeChange(badge);
  return 'add' in change && change.add > 0;
};

const cutTitle = (title: string): string => cutToLength(title, TITLE_CHARACTERS, characterCountOf);
const cutText = (text: string): string => cutToLength(text, TEXT_CHARACTERS, characterCountOf);

/**
 * Returns the kind and the class of a message. A known class in the message determines the kind. Otherwise the kind is
 * that of the message, or the default in the credentials, or 0. The class in the credentials is sent only with messages
 * of its kind.
 */
export function vivoClass(
  message: Message,
  { category: defaultCategory, defaultClassification }: Pick<VivoCredentials, 'category' | 'defaultClassification'>,
): { readonly classification: number; readonly category?: string } {
  const { classification = defaultClassification, category: messageCategory } = androidOptions(message, 'vivo');
  const kind = classificationOf(messageCategory) ?? classification;
  const usesDefault = messageCategory === undefined && (classificationOf(defaultCategory) ?? kind) === kind;
  const category = usesDefault ? defaultCategory : messageCategory;
  return { classification: kind, ...(category !== undefined && { category }) };
}

/** The kinds of messages, by `classification`. vivo counts them separately. */
export const vivoQuotaClasses = ['operational', 'system'] as const;

/** Returns the kind whose quota applies. */
export const vivoQuotaClass = (message: Message, credentials: VivoCredentials): (typeof vivoQuotaClasses)[number] =>
  vivoQuotaClasses[vivoClass(message, credentials).classification === 1 ? 1 : 0];

export function classificationOf(category = ''): number | undefined {
  const kind = categories.findIndex((names) => (names as readonly string[]).includes(category));
  return kind < 0 ? undefined : kind;
}

/**
 * Returns 1 (test) for every message in environment 0. The message's `push_mode` is ignored there, because 0 cannot be
 * distinguished from an unset value.
 */
export const vivoPushMode = ({ vivo }: Message, isTest: boolean): number => (isTest ? 1 : (vivo?.push_mode ?? 0));

/** Returns the data for the app, as much as vivo accepts. */
function customMap(notification: Notification): Readonly<Record<string, string>> {
  const build = (omitted: readonly OptionalData[]) => androidData(notification, omitted, { showsBigText: false });
  return build(
    omittedData(
      notification.message,
      optionalDataOf(notification.message, { showsBigText: false }),
      (omitted) => mapLength(build(omitted)) <= MAP_CHARACTERS,
    ),
  );
}

const mapLength = (map: Readonly<Record<string, string>>): number =>
  Object.entries(map).reduce((sum, [key, value]) => sum + key.length + value.length, 0);

const ttl = ({ notAfter }: Notification, now: Date, min: number): number =>
  Math.max(ttlSeconds(notAfter, now, TTL_SECONDS_MAX), min);

/** Returns the same ID when a request is retried. A request for other devices in the slice has a different ID. */
function requestId({ reference }: Notification, tokens: readonly string[]): string {
  if (tokens.length === 0) return reference.slice(0, REQUEST_ID_CHARACTERS);
  const hash = createHash('sha256').update(tokens.join(' ')).digest('base64url').slice(0, HASH_CHARACTERS);
  return `${reference.slice(0, REQUEST_ID_CHARACTERS - HASH_CHARACTERS - 1)}.${hash}`;
}
