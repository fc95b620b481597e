import { parseJson } from '#src/foundation/json.ts';
import type { Message } from './message.ts';
import type { Audience, Task } from './task.ts';

/**
 * Parses the stored audience and message of a task. If they are invalid, the result states the defect, and the caller
 * decides what happens to this task. An exception would also fail the tasks that are read together with it.
 */
export function parseTaskContent(
  audienceText: string,
  messageText: string,
): Pick<Task, 'audience' | 'message' | 'defect'> {
  const audience = toAudience(tryParse(audienceText));
  const message = tryParse(messageText);
  if (!audience) return { audience: NO_AUDIENCE, message: NO_MESSAGE, defect: 'The stored audience is not valid.' };
  if (!isMessage(message)) return { audience, message: NO_MESSAGE, defect: 'The stored message is not valid.' };
  return { audience, message };
}

const NO_AUDIENCE: Audience = { kind: 'push_token', pushTokens: [] };
const NO_MESSAGE: Message = { type: 'text', badge: '0' };

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function toAudience(value: unknown): Audience | undefined {
  if (!isObject(value)) return undefined;
  switch (value.kind) {
    case 'all':
      return { kind: 'all' };
    case 'tag':
    case 'alias':
      return isListOf(value.names, isText) ? { kind: value.kind, names: value.names } : undefined;
    case 'user_id':
      return isListOf(value.userIds, isInteger) ? { kind: 'user_id', userIds: value.userIds.map(BigInt) } : undefined;
    case 'push_token':
      return isListOf(value.pushTokens, isText) ? { kind: 'push_token', pushTokens: value.pushTokens } : undefined;
    default:
      return undefined;
  }
}

const messageTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'cmd'] satisfies Message['type'][]);
const textFields = ['title', 'body', 'attachment_url', 'big_text'] as const satisfies (keyof Message)[];
const objectFields = [
  ...(['ext', 'ios', 'android', 'huawei', 'harmony', 'honor', 'xiaomi', 'oppo', 'vivo', 'flyme'] as const),
  ...(['fcm', 'webpush'] as const),
] satisfies (keyof Message)[];

/** Returns whether a value has the fields that all channels use. The API checks the rest before it accepts a task. */
function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const isAbsentOr = (name: string, isValid: (field: unknown) => boolean) =>
    value[name] === undefined || isValid(value[name]);
  return (
    messageTypes.has(value.type) &&
    isText(value.badge) &&
    textFields.every((name) => isAbsentOr(name, isText)) &&
    objectFields.every((name) => isAbsentOr(name, isObject))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isInteger = (value: unknown): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}
