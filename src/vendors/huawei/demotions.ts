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
      'Huawei keeps a command until the app runs: send what must be seen at once as a notification.',
      ...testDemotion(credentials),
    ];
  const messageOptions = androidOptions(message, 'huawei');
  const { category = credentials.category, importance = credentials.importance } = messageOptions;
  return [
    // Test messages do not count as marketing.
    ...(credentials.isTest ? testDemotion(credentials) : classDemotion(category)),
    ...(importance === 'LOW'
      ? ['With importance LOW Huawei shows it without a sound: say NORMAL in huawei.importance if it is to be heard.']
      : []),
  ];
}

function classDemotion(category: string | undefined): string[] {
  if (category === undefined)
    return [
      `Neither the message nor the certificate names a class, so Huawei sorts it by itself, and of what it takes for marketing ${dailyCapText(MARKETING_DAILY_CAP)}: name one that the app was granted in huawei.category or in the certificate.`,
    ];
  if (category !== 'MARKETING') return [];
  return [
    `Its class is MARKETING, of which ${dailyCapText(MARKETING_DAILY_CAP)}: name another in huawei.category if it is none.`,
  ];
}

const testDemotion = ({ isTest }: HuaweiCredentials): string[] =>
  isTest
    ? [`It is a test message, of which an app has ${TEST_MESSAGES_PER_DAY} a day: use environment 1 for more.`]
    : [];
