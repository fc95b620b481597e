import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { describeTextCut } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { describeOmittedData, fitDataAndText, type OptionalData, optionalDataOf } from '../translate/optional-data.ts';
import type { Notification } from '../vendor.ts';

/** Maximum payload size that Apple accepts. The alert text is truncated to fit. */
export const PAYLOAD_BYTES_MAX = 4_096;

/** Returns the request body: displayed fields under `aps`, data for the app next to it. */
export function apnsPayload(notification: Notification): string {
  const { message } = notification;
  const parts = { message, text: alertText(message), bytesMax: PAYLOAD_BYTES_MAX, showsBigText: false };
  return fitDataAndText(parts, (omitted, text) =>
    stringifyJson({
      aps: text === undefined ? { 'content-available': 1 } : aps(notification, text),
      ...appData(notification, omitted),
    }),
  );
}

/**
 * Returns sentences that describe the parts that would be truncated. They apply to every task and device, because the
 * longest values are assumed.
 */
export function apnsCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  const payload = apnsPayload({ ...LONGEST_NOTIFICATION, message });
  if (Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX) return [texts.tooLargeWithoutText('apns', PAYLOAD_BYTES_MAX)];
  const limit = texts.bytesLimit('apns', PAYLOAD_BYTES_MAX);
  const { aps: shownAps, ...data } = JSON.parse(payload) as { aps: { alert?: { body?: string } } };
  const omitted = describeOmittedData(message, optionalDataOf(message, { showsBigText: false }), data, limit, language);
  if (message.type === 'cmd') return omitted;
  return [
    ...describeTextCut(alertText(message), shownAps.alert?.body ?? '', limit, language),
    ...(message.body !== undefined && message.big_text !== undefined ? [texts.bigTextHidden('apns')] : []),
    ...omitted,
  ];
}

/** The longest possible values of the fields that differ between devices. */
const LONGEST_NOTIFICATION = {
  taskId: 2n ** 53n - 1n,
  deviceId: 0n,
  reference: `${2n ** 53n - 1n}.63.2147483647`,
  badge: 999_999_999,
  notAfter: new Date(0),
} as const;

/** Returns the displayed text. APNs has no field for `big_text`. */
const alertText = (message: Message): string => message.body ?? message.big_text ?? '';

function aps({ message, badge }: Notification, text: string): object {
  const { ios = {} } = message;
  return {
    alert: {
      ...(message.title !== undefined && { title: message.title }),
      ...(ios.subtitle !== undefined && { subtitle: ios.subtitle }),
      ...(text !== '' && { body: text }),
    },
    ...(badge !== undefined && { badge }),
    ...(ios.sound !== 'none' && { sound: ios.sound ?? 'default' }),
    ...(ios.category !== undefined && { category: ios.category }),
    ...(ios.thread_id !== undefined && { 'thread-id': ios.thread_id }),
    ...(ios.content_available && { 'content-available': 1 }),
    ...((ios.mutable_content || message.type === 'image') && { 'mutable-content': 1 }),
  };
}

/**
 * Returns the data for the app, without the fields in `omitted`. `ext` has a separate key, because its keys could
 * otherwise overwrite `aps`. The texts are included if iOS does not show all of them. The badge is in `aps`, except for
 * a data-only message.
 */
function appData({ taskId, reference, message }: Notification, omitted: readonly OptionalData[]): object {
  const { type, title, body, big_text, badge, attachment_url, ext } = message;
  const isHidden = type === 'cmd';
  // Without a body, `big_text` is shown.
  const hasBigText = big_text !== undefined && (isHidden || body !== undefined) && !omitted.includes('big_text');
  return {
    mid: taskId.toString(),
    reference,
    ...(isHidden && { badge }),
    ...(isHidden && title !== undefined && { title }),
    ...((isHidden || hasBigText) && body !== undefined && { body }),
    ...(hasBigText && { big_text }),
    ...(attachment_url !== undefined && !omitted.includes('attachment_url') && { attachment_url }),
    ...(ext !== undefined && !omitted.includes('ext') && { ext }),
  };
}
