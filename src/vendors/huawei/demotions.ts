import type { Message } from '#src/domain/message.ts';
import { androidWishes } from '../translate/android-options.ts';
import { aDay } from '../translate/daily-cap.ts';
import type { HuaweiCredentials } from './credentials.ts';

/** Of marketing, and of what Huawei takes for it. */
const MARKETING = { usual: 2, news: 5 };
const TESTS_A_DAY = 500;

type Wishes = Pick<HuaweiCredentials, 'isTest' | 'category' | 'importance'>;

export function huaweiDemotions(message: Message, wishes: Wishes): string[] {
  if (message.type === 'cmd')
    return [
      'Huawei keeps a command until the app runs: send what must be seen at once as a notification.',
      ...testDemotion(wishes),
    ];
  const wished = androidWishes(message, 'huawei');
  const { category = wishes.category, importance = wishes.importance } = wished;
  return [
    // Test messages do not count as marketing.
    ...(wishes.isTest ? testDemotion(wishes) : classDemotion(category)),
    ...(importance === 'LOW'
      ? ['With importance LOW Huawei shows it without a sound: say NORMAL in huawei.importance if it is to be heard.']
      : []),
  ];
}

function classDemotion(category: string | undefined): string[] {
  if (category === undefined)
    return [
      `Neither the message nor the certificate names a class, so Huawei sorts it by itself, and of what it takes for marketing ${aDay(MARKETING)}: name one that the app was granted in huawei.category or in the certificate.`,
    ];
  if (category !== 'MARKETING') return [];
  return [`Its class is MARKETING, of which ${aDay(MARKETING)}: name another in huawei.category if it is none.`];
}

const testDemotion = ({ isTest }: Wishes): string[] =>
  isTest ? [`It is a test message, of which an app has ${TESTS_A_DAY} a day: use environment 1 for more.`] : [];
