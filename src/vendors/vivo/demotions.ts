import type { Message } from '#src/domain/message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { VivoCredentials } from './credentials.ts';
import { classificationOf, vivoClass, vivoPushMode } from './payload.ts';

/** Daily limit for operational messages. */
const OPERATIONAL_DAILY_CAP = { usual: 2, news: 5 };
const OPERATIONAL_HOURS = '07:00 to 23:00';
/** Daily limits for test messages of an app: operational messages, then system messages. */
const TEST_MESSAGES_PER_DAY = ['100', '10,000'] as const;

export function vivoDemotions(message: Message, credentials: VivoCredentials): string[] {
  if (message.type === 'cmd') return [];
  const { classification, category } = vivoClass(message, credentials);
  const isTest = vivoPushMode(message, credentials.isTest) === 1;
  return [
    ...(isTest
      ? [
          `This is a test message. It reaches only devices that vivo's console lists. The limit for test messages of an app is ${TEST_MESSAGES_PER_DAY[classification === 1 ? 1 : 0]} a day: use environment 1 and push_mode 0 to reach other devices.`,
        ]
      : []),
    ...ignoredClassification(message, classification, category),
    ...ignoredCategory(message, credentials),
    ...(classification === 1 ? systemDemotion(category) : operationalDemotion(isTest)),
  ];
}

function ignoredClassification(message: Message, classification: number, category: string | undefined): string[] {
  const { classification: requestedClassification = 0 } = androidOptions(message, 'vivo');
  if (requestedClassification !== 1 || classification === 1) return [];
  return [`classification 1 is not used, since ${category} is operational: name a class of system messages instead.`];
}

/** A class of system messages in the credentials has no effect on operational messages. */
function ignoredCategory(message: Message, { category, ...credentials }: VivoCredentials): string[] {
  const { classification, category: messageCategory } = androidOptions(message, 'vivo');
  const isIgnored = messageCategory === undefined && classificationOf(category) === 1;
  if (!isIgnored || (classification ?? credentials.defaultClassification) === 1) return [];
  return [
    `The class ${category} of the credentials is not used, since the message is operational: set vivo.classification to 1, or default_classification in the credentials.`,
  ];
}

const operationalDemotion = (isTest: boolean): string[] =>
  isTest
    ? []
    : [
        `This is an operational message. Daily limit: ${dailyCapText(OPERATIONAL_DAILY_CAP)}. vivo accepts operational messages only from ${OPERATIONAL_HOURS} in Beijing. If it is a system message, name its class in vivo.category or in the credentials.`,
      ];

const systemDemotion = (category: string | undefined): string[] =>
  category === undefined
    ? ['A system message without a class may be treated as operational: name its class in vivo.category.']
    : [];
