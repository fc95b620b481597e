import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { NoteTexts } from '../translate/note-texts-en.ts';
import type { HonorCredentials } from './credentials.ts';

/** Daily limit for importance LOW, and for NORMAL without the permission for it. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
export const TEST_MESSAGES_PER_DAY = 1_000;

export function honorDemotions(message: Message, credentials: HonorCredentials, language: Language): string[] {
  const texts = noteTexts[language];
  const testDemotions = credentials.isTest ? [texts.testMessageOfApp(TEST_MESSAGES_PER_DAY)] : [];
  if (message.type === 'cmd') return testDemotions;
  const { category } = androidOptions(message, 'honor');
  const isValidCategory = category === 'LOW' || category === 'NORMAL';
  const importance = isValidCategory ? category : credentials.importance;
  const isExplicit = isValidCategory || credentials.hasExplicitImportance;
  return [
    ...testDemotions,
    ...(category === undefined || isValidCategory ? [] : [texts.honorUnknownClass(category, importance)]),
    ...importanceDemotions(texts, importance, isExplicit, message, credentials.isTest),
  ];
}

function importanceDemotions(
  texts: NoteTexts,
  importance: string,
  isExplicit: boolean,
  { type }: Message,
  isTest: boolean,
): string[] {
  // Test messages do not count towards the daily limit of a device.
  const cap = isTest ? null : MARKETING_DAILY_CAP;
  if (importance === 'LOW') return [texts.honorLow(cap), ...(type === 'image' ? [texts.honorLowImage] : [])];
  return isExplicit || isTest ? [] : [texts.honorNoImportance(cap)];
}
