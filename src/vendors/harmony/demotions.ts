import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { NoteTexts } from '../translate/note-texts-en.ts';
import type { HarmonyCredentials } from './credentials.ts';
import { categoryOf } from './payload.ts';

/** Daily limit for marketing. Messages that were accepted but not displayed count too. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
export const TEST_MESSAGES_PER_DAY = 1_000;

export function harmonyDemotions(message: Message, credentials: HarmonyCredentials, language: Language): string[] {
  const texts = noteTexts[language];
  const testDemotions = credentials.isTest ? [texts.testMessageOfProject(TEST_MESSAGES_PER_DAY)] : [];
  if (message.type === 'cmd') return [texts.dataHeld('harmony'), ...testDemotions];
  // Test messages do not count as marketing.
  return credentials.isTest ? testDemotions : classDemotion(texts, message, credentials);
}

function classDemotion(texts: NoteTexts, message: Message, credentials: HarmonyCredentials): string[] {
  if (categoryOf(message, credentials) !== 'MARKETING') return [];
  const hasNoClass = message.harmony?.category === undefined && credentials.category === undefined;
  return [hasNoClass ? texts.harmonyNoClass(MARKETING_DAILY_CAP) : texts.harmonyMarketing(MARKETING_DAILY_CAP)];
}
