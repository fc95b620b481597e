import type { Static } from 'typebox';
import type { pushNotify } from '#src/contract/push/notify.ts';
import { androidVendors } from '#src/domain/channel.ts';
import type { Message } from '#src/domain/message.ts';
import { Problem } from '#src/domain/problem.ts';
import { AHEAD_SECONDS_MAX, SHOWN_SECONDS_MAX } from '#src/domain/task.ts';
import { parseJson, stringifyJson } from '#src/foundation/json.ts';
import type { ApiContext } from '../context.ts';

type RequestBody = Pick<Static<(typeof pushNotify)['body']>, 'message' | 'setting'>;
type RequestMessage = RequestBody['message'];

/** Maximum size of a message, which is stored once for each task and sent to every device. */
const MESSAGE_BYTES_MAX = 64 * 1024;
const EXT_BYTES_MAX = 4 * 1024;
const EXT_DEPTH_MAX = 8;
const IMAGE_BYTES_MAX = 1024 * 1024;

export interface CheckedMessage {
  readonly message: Message;
  /** The message as JSON, which is stored. */
  readonly messageText: string;
  /** Null means immediately. */
  readonly dueAt: Date | null;
  /** Null means one day after the task is due. */
  readonly notAfter: Date | null;
}

/** Applies the rules that a schema cannot express. Blank fields have already been removed and defaults filled in. */
export async function checkMessage(
  { clock, imageSizes }: ApiContext,
  { message: input, setting }: RequestBody,
): Promise<CheckedMessage> {
  checkIntents(input);
  checkExt(input.ext);
  const window = readTimeWindow(input, setting?.hold_seconds ?? 0, clock.now());
  const message = { ...input, type: messageTypeOf(input) } as Message;
  checkNotifyLevel(message.oppo?.notify_level);
  checkTemplate(message.xiaomi?.template_param);
  if (message.type === 'image' && (await imageSizes.sizeOf(input.attachment_url as string)) >= IMAGE_BYTES_MAX)
    throw new Problem('image-too-large');
  const messageText = stringifyJson(message);
  if (Buffer.byteLength(messageText) > MESSAGE_BYTES_MAX)
    throw new Problem('message-too-large', 'message is larger than 64 KiB.');
  return { message, messageText, ...window };
}

const INTENT = /^intent:[^#\s]*#Intent;(?:[^;\s]+;)*component=[\w.]+\/[\w.$]+;(?:[^;]+;)*end$/;

function checkIntents(input: RequestMessage): void {
  for (const name of ['android', ...androidVendors] as const) {
    const { click_action, intent } = input[name] ?? {};
    if (click_action !== 'intent') continue;
    if (intent === undefined)
      throw new Problem('bad-parameter', `message.${name}.intent is required when click_action is intent.`);
    if (!INTENT.test(intent))
      throw new Problem(
        'bad-parameter',
        `message.${name}.intent must have the form intent:#Intent;component=<package>/<activity>;S.<key>=<value>;end.`,
      );
  }
}

function checkNotifyLevel(level: number | undefined): void {
  if (level !== undefined && ![1, 2, 16].includes(level))
    throw new Problem('bad-parameter', 'message.oppo.notify_level must be 1, 2 or 16.');
}

const TEMPLATE_VARIABLES_MAX = 9;
const TEMPLATE_TEXT = /^.{1,128}$/su;

function checkTemplate(parameters: string | undefined): void {
  if (parameters === undefined) return;
  const values = Object.values(parseJsonObject(parameters) ?? { none: undefined });
  const isValidVariable = (value: unknown) => typeof value === 'string' && TEMPLATE_TEXT.test(value);
  if (values.length > TEMPLATE_VARIABLES_MAX || !values.every(isValidVariable))
    throw new Problem(
      'bad-parameter',
      'message.xiaomi.template_param must be a JSON object of at most 9 strings of 1 to 128 characters.',
    );
}

/** Returns undefined if the string is not a JSON object. */
function parseJsonObject(text: string): object | undefined {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function checkExt(ext: RequestMessage['ext']): void {
  if (ext === undefined) return;
  // The depth is checked first, because serializing a very deep object would overflow the stack.
  if (!isWithinDepth(ext, EXT_DEPTH_MAX))
    throw new Problem('message-too-large', 'message.ext is nested more than 8 levels deep.');
  if (!hasFiniteNumbers(ext)) throw new Problem('bad-parameter', 'message.ext has a number that is too large.');
  if (Buffer.byteLength(stringifyJson(ext)) > EXT_BYTES_MAX)
    throw new Problem('message-too-large', 'message.ext is larger than 4 KiB.');
}

/** JSON allows numbers such as 1e400, which exceed the range of a JavaScript number. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers);
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithinDepth(inner, levels - 1));
}

const IMAGE_PATH = /\.(jpg|jpeg|png)$/i;

/** An image without a URL is sent as text. */
function messageTypeOf({ type = 'text', attachment_url }: RequestMessage): Message['type'] {
  if (type !== 'image') return type;
  if (attachment_url === undefined) return 'text';
  const url = URL.canParse(attachment_url) ? new URL(attachment_url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !IMAGE_PATH.test(url.pathname))
    throw new Problem(
      'bad-parameter',
      'message.attachment_url of an image must be an HTTP or HTTPS URL that ends in .jpg, .jpeg or .png.',
    );
  return 'image';
}

/** The window starts when the task is due, so a hold never makes a task expire before it is sent. */
function readTimeWindow(
  { show_begin_time: begin, show_end_time: end }: RequestMessage,
  holdSeconds: number,
  now: Date,
): Pick<CheckedMessage, 'dueAt' | 'notAfter'> {
  const nowSeconds = BigInt(Math.floor(now.getTime() / 1_000));
  const beginSeconds = begin !== undefined && begin > nowSeconds ? begin : nowSeconds;
  if (begin !== undefined && (begin < 0n || begin > nowSeconds + BigInt(AHEAD_SECONDS_MAX)))
    throw new Problem('bad-time-window', 'show_begin_time must be at most 30 days ahead.');
  if (end !== undefined && end <= nowSeconds)
    throw new Problem('bad-time-window', 'show_end_time must be in the future.');
  if (end !== undefined && begin !== undefined && end <= begin)
    throw new Problem('bad-time-window', 'show_end_time must be after show_begin_time.');
  if (end !== undefined && end > beginSeconds + BigInt(SHOWN_SECONDS_MAX))
    throw new Problem('bad-time-window', 'show_end_time must be at most 30 days after show_begin_time.');
  const heldUntilMs = holdSeconds > 0 ? now.getTime() + holdSeconds * 1_000 : 0;
  const notAfter = end === undefined ? null : new Date(Number(end) * 1_000);
  if (notAfter !== null && notAfter.getTime() <= heldUntilMs)
    throw new Problem('bad-time-window', 'show_end_time must be later than hold_seconds from now.');
  const dueMs = Math.max(beginSeconds > nowSeconds ? Number(beginSeconds) * 1_000 : 0, heldUntilMs);
  return { dueAt: dueMs > 0 ? new Date(dueMs) : null, notAfter };
}
