import type { Message } from '#src/domain/message.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { OppoCredentials } from './credentials.ts';
import { oppoClass } from './payload.ts';

/** Daily limit for content and marketing, including messages that OPPO treats as such. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
/** All other classes are service and communication, without a daily limit. */
const MARKETING_CLASSES: readonly string[] = ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'];

export function oppoDemotions(message: Message, credentials: OppoCredentials): string[] {
  if (message.type === 'cmd') return [];
  const { category, notify_level } = oppoClass(message, credentials);
  if (category === undefined)
    return [
      `Neither the message nor the certificate names a class, so OPPO takes it for content and marketing, of which ${dailyCapText(MARKETING_DAILY_CAP)}: name one that the app was granted in oppo.category or in the certificate.`,
      ...(message.oppo?.notify_level === undefined && credentials.notifyLevel === undefined
        ? []
        : ['notify_level is left out: OPPO takes it with a class alone.']),
    ];
  return [
    ...(MARKETING_CLASSES.includes(category)
      ? [
          `Its class ${category} is content or marketing, of which ${dailyCapText(MARKETING_DAILY_CAP)}: name another if it is none.`,
        ]
      : []),
    ...(credentials.notifyLevel !== undefined && notify_level === undefined
      ? [
          `It has OPPO's usual loudness: notify_level of the certificate is for its own class. Say it in oppo.notify_level if the app was granted that for ${category}.`,
        ]
      : []),
  ];
}
