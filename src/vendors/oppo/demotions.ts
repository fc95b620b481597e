import type { Language } from '#src/domain/language/language.ts';
import type { Message } from '#src/domain/message.ts';
import { noteTexts } from '../translate/note-texts.ts';
import type { OppoCredentials } from './credentials.ts';
import { oppoClass } from './payload.ts';

/** Daily limit for content and marketing, including messages that OPPO assigns to these classes itself. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
/** Classes with a daily limit. All other classes are for service and communication and have no daily limit. */
const MARKETING_CLASSES: readonly string[] = ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'];

export function oppoDemotions(message: Message, credentials: OppoCredentials, language: Language): string[] {
  if (message.type === 'cmd') return [];
  const texts = noteTexts[language];
  const { category, notify_level } = oppoClass(message, credentials);
  if (category === undefined)
    return [
      texts.oppoNoClass(MARKETING_DAILY_CAP),
      ...(message.oppo?.notify_level === undefined && credentials.notifyLevel === undefined
        ? []
        : [texts.oppoLevelOmitted]),
    ];
  return [
    ...(MARKETING_CLASSES.includes(category) ? [texts.oppoMarketing(category, MARKETING_DAILY_CAP)] : []),
    ...(credentials.notifyLevel !== undefined && notify_level === undefined ? [texts.oppoDefaultLevel(category)] : []),
  ];
}
