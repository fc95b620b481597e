import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { androidData, displayTexts, hasHttpsImage, ttlSeconds } from '../translate/android-message.ts';
import { badgeChange } from '../translate/android-options.ts';
import { describeTextCut, longestNotification } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { notifyIdOf } from '../translate/notify-id.ts';
import { describeOmittedData, fitDataAndText, type OptionalData, optionalDataOf } from '../translate/optional-data.ts';
import { byteLengthOf } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import type { HarmonyCredentials } from './credentials.ts';

/** Maximum size of the request body. Huawei does not count the tokens. */
export const PAYLOAD_BYTES_MAX = 4_096;

/** Values of the header `push-type`. */
export const PUSH_TYPE = { notification: 0, background: 6 } as const;

/** Huawei keeps a message for at most 15 days. */
const TTL_SECONDS_MAX = 15 * 24 * 3_600;
/** Largest badge number that Huawei accepts. */
const BADGE_MAX = 99;
/** Huawei treats every message as marketing unless the app has the right to another class. */
const DEFAULT_CATEGORY = 'MARKETING';
/** HarmonyOS has no large text: style 1 is being withdrawn. */
const BIG_TEXT = { showsBigText: false };

type PayloadOptions = Pick<HarmonyCredentials, 'isTest' | 'category' | 'receiptId'>;

export const pushTypeOf = ({ type }: Message): number =>
  type === 'cmd' ? PUSH_TYPE.background : PUSH_TYPE.notification;

/** Returns the class of a message: its own, that of the credentials, or marketing. */
export const categoryOf = ({ harmony }: Message, { category }: Pick<HarmonyCredentials, 'category'>): string =>
  harmony?.category ?? category ?? DEFAULT_CATEGORY;

/** Returns the body of one request for all tokens. */
export function harmonyBody(
  notification: Notification,
  tokens: readonly string[],
  options: PayloadOptions,
  now: Date,
): string {
  const { message } = notification;
  const bytesMax = PAYLOAD_BYTES_MAX + byteLengthOf(JSON.stringify(tokens));
  return fitDataAndText({ message, text: displayTexts(message).body, bytesMax, ...BIG_TEXT }, (omitted, text) =>
    stringifyJson({
      payload: payloadOf(notification, omitted, text, options),
      target: { token: tokens },
      pushOptions: pushOptionsOf(notification, options, now),
    }),
  );
}

/**
 * Returns one sentence for each part of a message that is cut, or the reason why HarmonyOS rejects it. The result does
 * not depend on the task.
 */
export function harmonyCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  const options = { isTest: true, category: 'x'.repeat(64), receiptId: 'x'.repeat(64) };
  const body = harmonyBody(longestNotification(message), [], options, new Date(0));
  if (byteLengthOf(body) > PAYLOAD_BYTES_MAX + '[]'.length)
    return [texts.tooLargeWithoutText('harmony', PAYLOAD_BYTES_MAX)];
  const limit = texts.bytesLimit('harmony', PAYLOAD_BYTES_MAX);
  const { payload } = JSON.parse(body) as {
    payload: { extraData?: string; notification?: { body: string; clickAction: { data: object } } };
  };
  const data = payload.notification?.clickAction.data ?? (JSON.parse(payload.extraData as string) as object);
  const omitted = describeOmittedData(message, optionalDataOf(message, BIG_TEXT), data, limit, language);
  if (!payload.notification) return omitted;
  if (payload.notification.body === '') return [texts.bodyRequired('harmony')];
  return [
    ...describeTextCut(displayTexts(message).body, payload.notification.body, limit, language),
    ...omitted,
    ...(message.type === 'image' && !hasHttpsImage(message) ? [texts.onlyHttpsImages('harmony')] : []),
  ];
}

function payloadOf(
  notification: Notification,
  omitted: readonly OptionalData[],
  text: string | undefined,
  options: PayloadOptions,
): object {
  const { message, taskId } = notification;
  const data = androidData(notification, omitted, BIG_TEXT);
  if (text === undefined) return { extraData: stringifyJson(data) };
  const { sound, foreground_show } = message.harmony ?? {};
  return {
    notification: {
      category: categoryOf(message, options),
      title: displayTexts(message).title,
      body: text,
      ...(message.type === 'image' && hasHttpsImage(message) && { image: message.attachment_url }),
      // The data arrives in `want.parameters` of the page.
      clickAction: { ...clickTarget(message), data },
      badge: badgeOf(message.badge),
      ...(sound !== undefined && sound !== 'default' && sound !== 'none' && { sound }),
      ...(foreground_show !== undefined && { foregroundShow: foreground_show }),
      // A repeated notification replaces the first one. The number is also needed to recall the notification.
      notifyId: notifyIdOf(taskId),
      // The phone displays only the first notification with this ID, including local notifications that the app creates
      // for the Carillon channel.
      appMessageId: taskId.toString(),
    },
  };
}

function clickTarget({ harmony = {} }: Message): object {
  const { action, uri } = harmony;
  if (action === undefined && uri === undefined) return { actionType: 0 };
  return { actionType: 1, ...(action !== undefined && { action }), ...(uri !== undefined && { uri }) };
}

function badgeOf(badge: string): object | undefined {
  const change = badgeChange(badge);
  if ('set' in change) return { setNum: Math.min(change.set, BADGE_MAX) };
  // Huawei does not accept an increment of 0.
  return change.add === 0 ? undefined : { addNum: Math.min(change.add, BADGE_MAX) };
}

function pushOptionsOf({ message, reference, notAfter }: Notification, options: PayloadOptions, now: Date): object {
  const collapseKey = message.harmony?.collapse_key;
  return {
    ...(options.isTest && { testMessage: true }),
    ttl: ttlSeconds(notAfter, now, TTL_SECONDS_MAX),
    biTag: reference,
    ...(options.receiptId !== undefined && { receiptId: options.receiptId }),
    ...(collapseKey !== undefined && { collapseKey }),
  };
}
