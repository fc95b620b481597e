import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Notification } from '../vendor.ts';
import type { OptionalData } from './optional-data.ts';
import { characterCountOf, cutToLength } from './text.ts';

/** Number of characters of the text that replace a missing title. */
const FALLBACK_TITLE_CHARACTERS = 40;

/**
 * Returns the data for the app, without the fields in `omitted`. All values are strings, because the keys become intent
 * extras and only strings are passed on unchanged. `ext` has a separate key, because its keys could otherwise collide
 * with names that vendors reserve. The texts are included if the vendor does not show all of them.
 */
export function androidData(
  { taskId, reference, message }: Notification,
  omitted: readonly OptionalData[] = [],
  { showsBigText = true } = {},
): Readonly<Record<string, string>> {
  const { type, title, body, big_text, badge, attachment_url, ext } = message;
  const isHidden = type === 'cmd';
  // Without a body, `big_text` is shown.
  const isUnseen = isHidden || (!showsBigText && body !== undefined);
  const hasBigText = big_text !== undefined && isUnseen && !omitted.includes('big_text');
  return {
    mid: taskId.toString(),
    reference,
    badge,
    ...(isHidden && title !== undefined && { title }),
    ...((isHidden || hasBigText) && body !== undefined && { body }),
    ...(hasBigText && { big_text }),
    ...(attachment_url !== undefined && !omitted.includes('attachment_url') && { attachment_url }),
    ...(ext !== undefined && !omitted.includes('ext') && { ext: stringifyJson(ext) }),
  };
}

/**
 * Returns the title and the text. Android vendors reject notifications that lack either, so a missing one is derived
 * from the other.
 */
export function displayTexts({ title, body, big_text }: Message): { readonly title: string; readonly body: string } {
  const text = body ?? big_text ?? title ?? '';
  return { title: title ?? cutToLength(text, FALLBACK_TITLE_CHARACTERS, characterCountOf), body: text };
}

/** Returns whether the image has an https URL. Vendors load images only over https. */
export const hasHttpsImage = ({ attachment_url }: Message): boolean => /^https:/i.test(attachment_url ?? '');

/** Returns the time for which a vendor can keep the notification for an offline phone, in whole seconds. */
export function ttlSeconds(notAfter: Date, now: Date, max: number): number {
  const seconds = Math.floor((notAfter.getTime() - now.getTime()) / 1_000);
  return Math.min(Math.max(seconds, 1), max);
}

/** Returns the time in which a phone may show the notification, or undefined if the message sets no `show_end_time`. */
export function displayWindow(
  { message, notAfter }: Notification,
  now: Date,
): { readonly start: Date; readonly end: Date } | undefined {
  return message.show_end_time === undefined ? undefined : { start: now, end: notAfter };
}
