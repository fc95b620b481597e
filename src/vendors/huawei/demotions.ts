import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { NoteTexts } from '../translate/note-texts-en.ts';
import type { HuaweiCredentials } from './credentials.ts';

/** Daily limit for marketing, including messages that Huawei treats as marketing. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
export const TEST_MESSAGES_PER_DAY = 500;

export function huaweiDemotions(message: Message, credentials: HuaweiCredentials, language: Language): string[] {
  const texts = noteTexts[language];
  const testDemotions = credentials.isTest ? [texts.testMessageOfApp(TEST_MESSAGES_PER_DAY)] : [];
  if (message.type === 'cmd') return [texts.dataHeld('huawei'), ...testDemotions];
  const messageOptions = androidOptions(message, 'huawei');
  const { category = credentials.category, importance = credentials.importance } = messageOptions;
  return [
    // Test messages do not count as marketing.
    ...(credentials.isTest ? testDemotions : classDemotion(texts, category)),
    ...(importance === 'LOW' ? [texts.huaweiLow] : []),
  ];
}

function classDemotion(texts: NoteTexts, category: string | undefined): string[] {
  if (category === undefined) return [texts.huaweiNoClass(MARKETING_DAILY_CAP)];
  return category === 'MARKETING' ? [texts.huaweiMarketing(MARKETING_DAILY_CAP)] : [];
}
