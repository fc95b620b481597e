import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from '../translate/note-texts.ts';

/** Numbers of background pushes that Apple is known to deliver per hour. Apple does not guarantee any number. */
const COMMANDS_PER_HOUR = { from: 2, to: 3 };

export function apnsDemotions({ type }: Message, _credentials: unknown, language: Language): string[] {
  const { from, to } = COMMANDS_PER_HOUR;
  return type === 'cmd' ? [noteTexts[language].apnsDataOnly(from, to)] : [];
}
