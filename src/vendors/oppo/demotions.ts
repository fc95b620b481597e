import type { Message } from '#src/domain/message.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { OppoCredentials } from './credentials.ts';
import { oppoClass } from './payload.ts';

/** Daily limit for content and marketing, including messages that OPPO assigns to these classes itself. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
/** Classes with a daily limit. All other classes are for service and communication and have no daily limit. */
const MARKETING_CLASSES: readonly string[] = ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'];

export function oppoDemotions(message: Message, credentials: OppoCredentials): string[] {
  if (message.type === 'cmd') return [];
  const { category, notify_level } = oppoClass(message, credentials);
  if (category === undefined)
    return [
      `Neither the message nor the credentials name a class, so OPPO treats the message as content and marketing. Daily limit: ${dailyCapText(MARKETING_DAILY_CAP)}. To avoid this, name one of the classes granted to the app in oppo.category or in the credentials.`,
      ...(message.oppo?.notify_level === undefined && credentials.notifyLevel === undefined
        ? []
        : ['notify_level is left out: OPPO accepts it only together with a class.']),
    ];
  return [
    ...(MARKETING_CLASSES.includes(category)
      ? [
          `The class ${category} is content or marketing. Daily limit: ${dailyCapText(MARKETING_DAILY_CAP)}. If the message is neither, name another class in oppo.category.`,
        ]
      : []),
    ...(credentials.notifyLevel !== undefined && notify_level === undefined
      ? [
          `The message has OPPO's default notification level, because notify_level in the credentials applies only to their own class. Set oppo.notify_level if the app was granted a level for ${category}.`,
        ]
      : []),
  ];
}
