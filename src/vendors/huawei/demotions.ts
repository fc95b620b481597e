import type { Message } from '#src/domain/message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { HuaweiCredentials } from './credentials.ts';

/** Daily limit for marketing, including messages that Huawei treats as marketing. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
const TEST_MESSAGES_PER_DAY = 500;

export function huaweiDemotions(message: Message, credentials: HuaweiCredentials): string[] {
  if (message.type === 'cmd')
    return [
      'Huawei holds a data-only message until the app runs. Send a notification if the user must see it immediately.',
      ...testDemotion(credentials),
    ];
  const messageOptions = androidOptions(message, 'huawei');
  const { category = credentials.category, importance = credentials.importance } = messageOptions;
  return [
    // Test messages do not count as marketing.
    ...(credentials.isTest ? testDemotion(credentials) : classDemotion(category)),
    ...(importance === 'LOW'
      ? [
          'With importance LOW Huawei shows the notification without a sound. For a sound, set huawei.importance to NORMAL.',
        ]
      : []),
  ];
}

function classDemotion(category: string | undefined): string[] {
  if (category === undefined)
    return [
      `Neither the message nor the credentials name a class, so Huawei treats the message as marketing. Daily limit: ${dailyCapText(MARKETING_DAILY_CAP)}. To avoid this, name one of the classes granted to the app in huawei.category or in the credentials.`,
    ];
  if (category !== 'MARKETING') return [];
  return [
    `The class of the message is MARKETING. Daily limit: ${dailyCapText(MARKETING_DAILY_CAP)}. If the message is not marketing, name another class in huawei.category.`,
  ];
}

const testDemotion = ({ isTest }: HuaweiCredentials): string[] =>
  isTest
    ? [
        `This is a test message. The limit for test messages of an app is ${TEST_MESSAGES_PER_DAY} a day: use environment 1 for more.`,
      ]
    : [];
