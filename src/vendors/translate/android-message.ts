import type { Message } from '#src/domain/message.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Notification } from '../vendor.ts';
import { characterCountOf, cutToLength } from './text.ts';

/** So much of the text stands in for a title that is missing. */
const FALLBACK_TITLE_CHARACTERS = 40;

/**
 * What the app reads, as one JSON text with the same keys as FCM's data. `ext` is a text in it: the keys reach the app as
 * extras of an intent, and only texts arrive there as they were.
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

/** Phone makers take no notification without a title and a text; one that is missing is taken from the other. */
export function displayTexts({ title, body, big_text }: Message): { readonly title: string; readonly body: string } {
  const text = body ?? big_text ?? title ?? '';
  return { title: title ?? cutToLength(text, FALLBACK_TITLE_CHARACTERS, characterCountOf), body: text };
}

/** Phone makers load pictures by https only. */
export const hasHttpsImage = ({ attachment_url }: Message): boolean => /^https:/i.test(attachment_url ?? '');

/** How long a vendor may keep it for a phone that is away, in whole seconds. */
export function ttlSeconds(notAfter: Date, now: Date, max: number): number {
  const seconds = Math.floor((notAfter.getTime() - now.getTime()) / 1_000);
  return Math.min(Math.max(seconds, 1), max);
}
