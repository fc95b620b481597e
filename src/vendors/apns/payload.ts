import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { characterCountOf, fitText } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';

/** Maximum payload size that Apple accepts. The alert text is truncated to fit. */
export const PAYLOAD_BYTES_MAX = 4_096;

/** Returns the request body: displayed fields under `aps`, data for the app next to it. */
export function apnsPayload(notification: Notification): string {
  const { message } = notification;
  // A data-only message is not truncated, because the app could not parse truncated data.
  if (message.type === 'cmd') return stringifyJson({ aps: { 'content-available': 1 }, ...appData(notification) });
  return fitText(alertText(message), PAYLOAD_BYTES_MAX, (text) =>
    stringifyJson({ aps: aps(notification, text), ...appData(notification) }),
  );
}

/**
 * Returns sentences that describe the parts that would be truncated. They apply to every task and device, because the
 * longest values are assumed.
 */
export function apnsCuts(message: Message): string[] {
  const payload = apnsPayload({ ...LONGEST_NOTIFICATION, message });
  if (Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX)
    return [
      `The message is rejected: even without its text it is larger than Apple's limit of ${PAYLOAD_BYTES_MAX} bytes.`,
    ];
  if (message.type === 'cmd') return [];
  const { aps: shownAps } = JSON.parse(payload) as { aps: { alert: { body?: string } } };
  const [fullCount, shownCount] = [alertText(message), shownAps.alert.body ?? ''].map(characterCountOf);
  return fullCount === shownCount
    ? []
    : [`The text is cut to ${shownCount} of its ${fullCount} characters: Apple accepts ${PAYLOAD_BYTES_MAX} bytes.`];
}

/** The longest possible values of the fields that differ between devices. */
const LONGEST_NOTIFICATION = {
  taskId: 2n ** 53n - 1n,
  deviceId: 0n,
  reference: `${2n ** 53n - 1n}.63.2147483647`,
  badge: 999_999_999,
  notAfter: new Date(0),
} as const;

/**
 * Returns `big_text`, or the body if it is not set. A separate field is not needed, because iOS expands long text
 * automatically.
 */
const alertText = (message: Message): string => message.big_text ?? message.body ?? '';

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

/** Returns the data for the app. `ext` has a separate key, because its keys could otherwise overwrite `aps`. */
function appData({ taskId, reference, message }: Notification): object {
  return {
    mid: taskId.toString(),
    reference,
    ...(message.type === 'cmd' && message.title !== undefined && { title: message.title }),
    ...(message.type === 'cmd' && message.body !== undefined && { body: message.body }),
    ...(message.attachment_url !== undefined && { attachment_url: message.attachment_url }),
    ...(message.ext !== undefined && { ext: message.ext }),
  };
}
