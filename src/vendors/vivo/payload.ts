import { createHash } from 'node:crypto';
import type { Message } from '#src/domain/message.ts';
import { androidData, displayTexts, ttlSeconds } from '../translate/android-message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import { characterCountOf, cutToLength } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { VivoCredentials } from './credentials.ts';

const TITLE_CHARACTERS = 40;
const TEXT_CHARACTERS = 100;
/** Keys and values together; in units of 16 bits, since vivo does not say how it counts here. */
const MAP_CHARACTERS = 1_024;

/** vivo keeps a message for a day. A message for a list has to last longer than one for a single phone. */
const TTL_SECONDS_MAX = 24 * 3_600;
const TTL_SECONDS_MIN = 60;
const LIST_TTL_SECONDS_MIN = 15 * 60;

const REQUEST_ID_CHARACTERS = 64;
const HASH_CHARACTERS = 12;

type PayloadOptions = Omit<VivoCredentials, 'authToken'>;

/** vivo's classes by their kind, operational (0) and system (1). Both are said, and must agree. */
const categories = [
  ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'],
  ['IM', 'ACCOUNT', 'TODO', 'DEVICE_REMINDER', 'ORDER', 'SUBSCRIPTION'],
] as const;

/** A message for one phone. */
export function vivoSinglePayload(
  notification: Notification,
  token: string,
  options: PayloadOptions,
  now: Date,
): object {
  return {
    appId: options.appId,
    regId: token,
    ...notificationFields(notification, options),
    timeToLive: ttl(notification, now, TTL_SECONDS_MIN),
    requestId: requestId(notification, [token]),
  };
}

/** A message that vivo keeps for a list of phones. */
export function vivoSavedPayload(notification: Notification, options: PayloadOptions, now: Date): object {
  return {
    appId: options.appId,
    ...notificationFields(notification, options),
    timeToLive: ttl(notification, now, LIST_TTL_SECONDS_MIN),
    requestId: requestId(notification, []),
  };
}

/** The list, once vivo has named the message. */
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
    // vivo's own SDK repeats it here, the documentation does not.
    ...(pushMode === 1 && { pushMode }),
  };
}

/** What would be cut off a message, in sentences. */
export function vivoCuts(message: Message): string[] {
  if (message.type === 'cmd') return ['It is refused: vivo passes no commands through.'];
  const { title, body } = displayTexts(message);
  const shownTitle = cutTitle(title);
  if (body === '') return ['It is refused: vivo takes no notification without a text.'];
  const map = customMap(longestNotification(message));
  return [
    ...(shownTitle === title ? [] : [`The title is cut: vivo takes ${TITLE_CHARACTERS} characters.`]),
    ...describeTextCut(body, cutText(body), `vivo takes ${TEXT_CHARACTERS} characters`),
    ...(message.body !== undefined && message.big_text !== undefined
      ? ['The large text is left out: vivo has none.']
      : []),
    ...(message.type === 'image' ? ['The picture is left out: vivo shows none.'] : []),
    ...(['ext', 'attachment_url'] as const)
      .filter((field) => message[field] !== undefined && map[field] === undefined)
      .map((field) => `${field} is left out: vivo takes ${MAP_CHARACTERS} characters for the app.`),
  ];
}

function notificationFields(notification: Notification, options: PayloadOptions): object {
  const { message, taskId, reference } = notification;
  // A command would be seen as a notification. None should come, and without a text vivo refuses it.
  const { title, body } = message.type === 'cmd' ? { title: '', body: '' } : displayTexts(message);
  const { sound, intent } = androidOptions(message, 'vivo');
  return {
    notifyType: sound === 'none' ? 1 : 4,
    title: cutTitle(title),
    content: cutText(body),
    ...(intent === undefined ? { skipType: 1 } : { skipType: 4, skipContent: intent }),
    ...vivoClass(message, options.category),
    clientCustomMap: customMap(notification),
    ...(options.callbackId !== undefined && {
      extra: { 'callback.id': options.callbackId, 'callback.param': reference },
    }),
    pushMode: vivoPushMode(message, options.isTest),
    notifyId: notifyIdOf(taskId),
  };
}

const cutTitle = (title: string): string => cutToLength(title, TITLE_CHARACTERS, characterCountOf);
const cutText = (text: string): string => cutToLength(text, TEXT_CHARACTERS, characterCountOf);

/**
 * A class that is known says itself what kind it is. The kind 0 is also that of messages which say none, so it does not
 * speak against the certificate's class; the kind 1 does.
 */
export function vivoClass(
  message: Message,
  defaultCategory: string | undefined,
): { readonly classification: number; readonly category?: string } {
  const { classification = 0, category: messageCategory } = androidOptions(message, 'vivo');
  const usesDefault =
    messageCategory === undefined && !(classification === 1 && classificationOf(defaultCategory) === 0);
  const category = usesDefault ? defaultCategory : messageCategory;
  return { classification: classificationOf(category) ?? classification, ...(category !== undefined && { category }) };
}

/** vivo counts both kinds apart. By what the message says alone: those that say nothing are of one kind, whichever it is. */
export function vivoQuotaClass(message: Message): string {
  const { classification = 0, category } = androidOptions(message, 'vivo');
  return (classificationOf(category) ?? classification) === 1 ? 'system' : 'operational';
}

function classificationOf(category = ''): number | undefined {
  const kind = categories.findIndex((names) => (names as readonly string[]).includes(category));
  return kind < 0 ? undefined : kind;
}

/** A token of development is a phone for tests, whatever the message says: not to say anything is the same as 0. */
export const vivoPushMode = ({ vivo }: Message, isTest: boolean): number => (isTest ? 1 : (vivo?.push_mode ?? 0));

/** What the app reads, all of it texts. If that is too much, it has to do without ext, and then without the attachment. */
function customMap(notification: Notification): Readonly<Record<string, string>> {
  const { ext, ...map } = JSON.parse(androidData(notification)) as Record<string, string>;
  const { attachment_url: _, ...minimal } = map;
  const candidates = [...(ext === undefined ? [] : [{ ...map, ext }]), map, minimal];
  return candidates.find((each) => mapLength(each) <= MAP_CHARACTERS) ?? minimal;
}

const mapLength = (map: Readonly<Record<string, string>>): number =>
  Object.entries(map).reduce((sum, [key, value]) => sum + key.length + value.length, 0);

const ttl = ({ notAfter }: Notification, now: Date, min: number): number =>
  Math.max(ttlSeconds(notAfter, now, TTL_SECONDS_MAX), min);

/** The same when the same is tried again. Other phones of the slice are another request. */
function requestId({ reference }: Notification, tokens: readonly string[]): string {
  if (tokens.length === 0) return reference.slice(0, REQUEST_ID_CHARACTERS);
  const hash = createHash('sha256').update(tokens.join(' ')).digest('base64url').slice(0, HASH_CHARACTERS);
  return `${reference.slice(0, REQUEST_ID_CHARACTERS - HASH_CHARACTERS - 1)}.${hash}`;
}
