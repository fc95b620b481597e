import { hash } from 'node:crypto';
import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { displayTexts, hasHttpsImage } from '../translate/android-message.ts';
import { badgeChange } from '../translate/android-options.ts';
import { describeTextCut } from '../translate/cuts.ts';
import { noteTexts } from '../translate/note-texts.ts';
import { describeOmittedData, fitDataAndText, type OptionalData, optionalDataOf } from '../translate/optional-data.ts';
import { byteLengthOf } from '../translate/text.ts';
import type { Notification } from '../vendor.ts';
import { NAVIGATE_CHARACTERS_MAX } from './credentials.ts';
import { PLAINTEXT_BYTES_MAX } from './encrypt.ts';

/** Marks a declarative push message, which Safari displays without a script: the number of the RFC for Web Push. */
const DECLARATIVE = 8030;
/** The format of the header `Topic` (RFC 8030, section 5.4). */
const TOPIC = /^[\w-]{1,32}$/;
const TOPIC_CHARACTERS_MAX = 32;

/**
 * Returns the payload before its encryption: a declarative push message. The service workers of other browsers read the
 * same JSON. With `mutable`, Safari also runs the service worker, which can then report the notification as received.
 */
export function webPushPayload(notification: Notification, defaultPage: string): string {
  const { message } = notification;
  const parts = { message, text: fullText(message), bytesMax: PLAINTEXT_BYTES_MAX, showsBigText: false };
  return fitDataAndText(parts, (omitted, text = '') =>
    stringifyJson({
      web_push: DECLARATIVE,
      notification: { ...shownFields(notification, text, defaultPage), data: appData(notification, omitted) },
      mutable: true,
    }),
  );
}

/** Returns the header `Topic`. An offline browser receives only the newest message with the same topic. */
export function webPushTopic({ taskId, message }: Notification): string {
  const tag = message.webpush?.tag ?? taskId.toString();
  return TOPIC.test(tag) ? tag : hash('sha256', tag, 'base64url').slice(0, TOPIC_CHARACTERS_MAX);
}

/**
 * Returns sentences that describe the parts that would be truncated. They apply to every task and device, because the
 * longest values are assumed.
 */
export function webPushCuts(message: Message, language: Language): string[] {
  const texts = noteTexts[language];
  const payload = webPushPayload({ ...LONGEST_NOTIFICATION, message }, LONGEST_PAGE);
  if (byteLengthOf(payload) > PLAINTEXT_BYTES_MAX) return [texts.perhapsTooLarge('webpush', PLAINTEXT_BYTES_MAX)];
  const limit = texts.bytesLimit('webpush', PLAINTEXT_BYTES_MAX);
  const { notification } = JSON.parse(payload) as { notification: { body?: string; data: object } };
  return [
    ...describeTextCut(fullText(message), notification.body ?? '', limit, language),
    ...(message.body !== undefined && message.big_text !== undefined ? [texts.bigTextHidden('webpush')] : []),
    ...describeOmittedData(
      message,
      optionalDataOf(message, { showsBigText: false }),
      notification.data,
      limit,
      language,
    ),
    ...(message.type === 'image' && !hasHttpsImage(message) ? [texts.onlyHttpsImages('webpush')] : []),
  ];
}

/** The longest possible values of the fields that differ between devices and apps. */
const LONGEST_NOTIFICATION = {
  taskId: 2n ** 53n - 1n,
  deviceId: 0n,
  reference: `${2n ** 53n - 1n}.63.2147483647`,
  badge: 2 ** 31 - 1,
  notAfter: new Date(0),
} as const;
const LONGEST_PAGE = 'x'.repeat(NAVIGATE_CHARACTERS_MAX);

/** Returns the displayed text. Web Push has no field for `big_text`. */
const fullText = (message: Message): string => message.body ?? message.big_text ?? '';

function shownFields({ taskId, message, badge }: Notification, text: string, defaultPage: string): object {
  const { navigate = defaultPage, tag, icon, lang, dir, silent } = message.webpush ?? {};
  const appBadge = badge ?? absoluteBadge(message.badge);
  return {
    title: displayTexts(message).title,
    ...(text !== '' && { body: text }),
    ...(navigate !== '' && { navigate }),
    ...(lang !== undefined && { lang }),
    ...(dir !== undefined && { dir }),
    ...(silent !== undefined && { silent }),
    // The tag is the same for every attempt, so a duplicate replaces the notification on the screen.
    tag: tag ?? taskId.toString(),
    ...(icon !== undefined && { icon }),
    ...(message.type === 'image' && hasHttpsImage(message) && { image: message.attachment_url }),
    ...(appBadge !== undefined && { app_badge: appBadge }),
  };
}

/** Returns the number of an absolute badge. Browsers cannot add to a badge. */
function absoluteBadge(badge: string): number | undefined {
  const change = badgeChange(badge);
  return 'set' in change ? change.set : undefined;
}

/** Returns the data for the service worker, without the fields in `omitted`. Without a body, `big_text` is shown. */
function appData({ taskId, reference, message }: Notification, omitted: readonly OptionalData[]): object {
  const { body, big_text, attachment_url, ext } = message;
  const hasBigText = big_text !== undefined && body !== undefined && !omitted.includes('big_text');
  return {
    mid: taskId.toString(),
    reference,
    ...(hasBigText && { body, big_text }),
    ...(attachment_url !== undefined && !omitted.includes('attachment_url') && { attachment_url }),
    ...(ext !== undefined && !omitted.includes('ext') && { ext }),
  };
}
