import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Notification } from '../vendor.ts';
import { characterCountOf, cutToLength } from './text.ts';

/** Number of characters of the text that replace a missing title. */
const FALLBACK_TITLE_CHARACTERS = 40;

/**
 * Returns the data for the app as a JSON string with the same keys as FCM's data. `ext` is stored as a string, because
 * the keys become intent extras and only strings are passed on unchanged.
 */
export function androidData({ taskId, reference, message }: Notification): string {
  const { type, title, body, attachment_url, ext } = message;
  return stringifyJson({
    mid: taskId.toString(),
    reference,
    ...(type === 'cmd' && title !== undefined && { title }),
    ...(type === 'cmd' && body !== undefined && { body }),
    ...(attachment_url !== undefined && { attachment_url }),
    ...(ext !== undefined && { ext: stringifyJson(ext) }),
  });
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
