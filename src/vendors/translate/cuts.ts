import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import type { Notification } from '../vendor.ts';
import { noteTexts } from './note-texts.ts';
import { characterCountOf } from './text.ts';

/** Returns a notification whose other fields have their maximum length, so that no real notification is cut more. */
export const longestNotification = (message: Message): Notification => ({
  taskId: 2n ** 63n - 1n,
  deviceId: 0n,
  reference: 'x'.repeat(64),
  message,
  badge: undefined,
  notAfter: new Date(8.64e15),
});

/** Returns a sentence that states how much of a text is left, or an empty list if the text is complete. */
export function describeTextCut(fullText: string, shownText: string, limit: string, language: Language): string[] {
  const [fullCount, shownCount] = [characterCountOf(fullText), characterCountOf(shownText)];
  return shownText === fullText ? [] : [noteTexts[language].textCut(shownCount, fullCount, limit)];
}
