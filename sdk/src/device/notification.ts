import type { Message } from '../generated/types.ts';
import { toInt64 } from '../int64.ts';
import { parseJson } from '../json.ts';

/** A notification as a device receives it: the message with its default values, and its ids. */
export interface ReceivedNotification extends Omit<Message, 'type' | 'badge' | 'show_begin_time' | 'show_end_time'> {
  readonly task_id: bigint;
  /** The same for every repeat of this notification. */
  readonly message_id: bigint;
  /** Pass it to `click` when the user clicks the notification. */
  readonly reference: string;
  readonly type: 'text' | 'image' | 'cmd';
  /** A number to set the badge to, or `+` and a number to add to it. */
  readonly badge: string;
  /** Unix seconds. */
  readonly show_begin_time?: bigint | undefined;
  /** Unix seconds. */
  readonly show_end_time?: bigint | undefined;
}

const ID = /^\d{1,19}$/;

/** Parses the payload of a PUBLISH to the topic `recall`, as bytes or text. Returns undefined if it is not a recall. */
export function parseRecall(payload: Uint8Array | string): { task_id: bigint; message_id: bigint } | undefined {
  const { task_id, message_id } = parseObject(payload) ?? {};
  return isId(task_id) && isId(message_id) ? { task_id: BigInt(task_id), message_id: BigInt(message_id) } : undefined;
}

function parseObject(payload: Uint8Array | string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = parseJson(typeof payload === 'string' ? payload : decodeUtf8(payload));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws a URIError if the bytes are not UTF-8. Not every React Native has a `TextDecoder`. */
const decodeUtf8 = (bytes: Uint8Array): string =>
  decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));

/** Parses the payload of a PUBLISH, as bytes or text. Returns undefined if it is not a notification. */
export function parseNotification(payload: Uint8Array | string): ReceivedNotification | undefined {
  const parsed = parseObject(payload);
  if (!parsed) return undefined;
  const { task_id, message_id, reference, show_begin_time, show_end_time, ...message } = parsed;
  if (!isId(task_id) || !isId(message_id)) return undefined;
  const [begin, end] = [toInt64(show_begin_time), toInt64(show_end_time)];
  // The service has validated the message against its contract before it accepted the task.
  return {
    type: 'text',
    badge: '+1',
    ...message,
    task_id: BigInt(task_id),
    message_id: BigInt(message_id),
    reference: typeof reference === 'string' ? reference : '',
    ...(begin !== undefined && { show_begin_time: begin }),
    ...(end !== undefined && { show_end_time: end }),
  };
}

const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
