import type { Static } from 'typebox';
import type { messageSchema } from '#src/contract/message.ts';
import type { Message } from '#src/domain/message.ts';
import { Problem } from '#src/domain/problem.ts';

/** How far ahead a message may be held. */
const AHEAD_SECONDS_MAX = 30 * 24 * 60 * 60;
const IMAGE_PATH = /\.(jpg|jpeg|png)$/i;

interface CheckedMessage {
  readonly message: Message;
  /** Null: at once. */
  readonly dueAt: Date | null;
  /** Null: a day after it is due. */
  readonly notAfter: Date | null;
}

/** Applies the rules that a schema cannot say, and the defaults of the spec. Blank fields are gone already. */
export function checkMessage(given: Static<typeof messageSchema>, now: Date): CheckedMessage {
  if (Object.keys(given).length === 0) throw new Problem('bad-parameter', 'message must not be blank.');
  for (const name of ['android', 'huawei', 'xiaomi', 'oppo', 'vivo', 'flyme', 'fcm', 'honor'] as const) {
    if (given[name]?.click_action === 'intent' && given[name].intent === undefined)
      throw new Problem('bad-parameter', `message.${name}.intent is required when click_action is intent.`);
  }
  if (Buffer.byteLength(given.ios?.apns_collapse_id ?? '') > 64)
    throw new Problem('message-too-large', 'message.ios.apns_collapse_id takes 64 bytes.');
  const message = { ...given, type: typeOf(given), badge: given.badge ?? '+1' } as Message;
  return { message, ...windowOf(given, now) };
}

/** An image without a URL is sent as text. */
function typeOf({ type = 'text', attachment_url }: Static<typeof messageSchema>): Message['type'] {
  if (type !== 'image') return type;
  if (attachment_url === undefined) return 'text';
  const path = URL.canParse(attachment_url) ? new URL(attachment_url).pathname : undefined;
  if (path === undefined || !IMAGE_PATH.test(path))
    throw new Problem('bad-parameter', 'message.attachment_url of an image must end in .jpg, .jpeg or .png.');
  return 'image';
}

function windowOf(
  { show_begin_time: begin, show_end_time: end }: Static<typeof messageSchema>,
  now: Date,
): Pick<CheckedMessage, 'dueAt' | 'notAfter'> {
  const nowSeconds = BigInt(Math.floor(now.getTime() / 1_000));
  const latest = nowSeconds + BigInt(AHEAD_SECONDS_MAX);
  const begins = begin !== undefined && begin > nowSeconds ? begin : nowSeconds;
  if (begin !== undefined && (begin < 0n || begin > latest))
    throw new Problem('bad-time-window', 'show_begin_time may be at most 30 days ahead.');
  if (end !== undefined && end <= begins)
    throw new Problem('bad-time-window', 'show_end_time must lie after show_begin_time and in the future.');
  if (end !== undefined && end > latest + BigInt(AHEAD_SECONDS_MAX))
    throw new Problem('bad-time-window', 'show_end_time is too far ahead.');
  return {
    dueAt: begins > nowSeconds ? new Date(Number(begins) * 1_000) : null,
    notAfter: end === undefined ? null : new Date(Number(end) * 1_000),
  };
}
