import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from '../translate/note-texts.ts';

export function fcmDemotions({ type }: Message, _credentials: unknown, language: Language): string[] {
  return type === 'cmd' ? [noteTexts[language].fcmDataOnly] : [];
}
