import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { NoteTexts } from '../translate/note-texts-en.ts';
import type { VivoCredentials } from './credentials.ts';
import { classificationOf, vivoClass, vivoPushMode, vivoQuotaClass } from './payload.ts';

/** Daily limit for operational messages. */
const OPERATIONAL_DAILY_CAP = { usual: 2, news: 5 };
const OPERATIONAL_HOURS = { from: '07:00', to: '23:00' };
/** Daily limits for test messages of an app, by the kind of message. */
export const TEST_MESSAGES_PER_DAY = { operational: 100, system: 10_000 };

export function vivoDemotions(message: Message, credentials: VivoCredentials, language: Language): string[] {
  if (message.type === 'cmd') return [];
  const texts = noteTexts[language];
  const { classification, category } = vivoClass(message, credentials);
  const isTest = vivoPushMode(message, credentials.isTest) === 1;
  return [
    ...(isTest
      ? [texts.vivoTestMessage(TEST_MESSAGES_PER_DAY[vivoQuotaClass(message, credentials)].toLocaleString('en'))]
      : []),
    ...ignoredClassification(texts, message, classification, category),
    ...ignoredCategory(texts, message, credentials),
    ...(classification === 1 ? systemDemotion(texts, category) : operationalDemotion(texts, isTest)),
  ];
}

function ignoredClassification(
  texts: NoteTexts,
  message: Message,
  classification: number,
  category: string | undefined,
): string[] {
  const { classification: requestedClassification = 0 } = androidOptions(message, 'vivo');
  if (requestedClassification !== 1 || classification === 1) return [];
  return [texts.vivoClassificationIgnored(String(category))];
}

/** A class of system messages in the credentials has no effect on operational messages. */
function ignoredCategory(texts: NoteTexts, message: Message, { category, ...credentials }: VivoCredentials): string[] {
  const { classification, category: messageCategory } = androidOptions(message, 'vivo');
  const isIgnored = messageCategory === undefined && classificationOf(category) === 1;
  if (!isIgnored || (classification ?? credentials.defaultClassification) === 1) return [];
  return [texts.vivoCategoryIgnored(String(category))];
}

const operationalDemotion = (texts: NoteTexts, isTest: boolean): string[] =>
  isTest ? [] : [texts.vivoOperational(OPERATIONAL_DAILY_CAP, OPERATIONAL_HOURS.from, OPERATIONAL_HOURS.to)];

const systemDemotion = (texts: NoteTexts, category: string | undefined): string[] =>
  category === undefined ? [texts.vivoNoClass] : [];
