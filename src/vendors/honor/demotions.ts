import type { Message } from '#src/domain/message.ts';
import { androidWishes } from '../translate/android-options.ts';
import { aDay } from '../translate/daily-cap.ts';
import type { HonorCredentials } from './credentials.ts';

/** Of importance LOW, and of NORMAL without the right to it. */
const MARKETING = { usual: 2, news: 5 };
const TESTS_A_DAY = 1_000;

type Wishes = Pick<HonorCredentials, 'isTest' | 'importance' | 'saysImportance'>;

export function honorDemotions(message: Message, wishes: Wishes): string[] {
  const tests = wishes.isTest
    ? [`It is a test message, of which an app has ${TESTS_A_DAY} a day: use environment 1 for more.`]
    : [];
  if (message.type === 'cmd') return tests;
  const { category } = androidWishes(message, 'honor');
  const isKnown = category === 'LOW' || category === 'NORMAL';
  const importance = isKnown ? category : wishes.importance;
  return [
    ...tests,
    ...(category === undefined || isKnown
      ? []
      : [
          `Honor does not know the class ${category}, and it goes as ${importance}: say LOW or NORMAL in honor.category.`,
        ]),
    ...importanceDemotions(importance, isKnown || wishes.saysImportance, message, wishes.isTest),
  ];
}

function importanceDemotions(importance: string, isSaid: boolean, { type }: Message, isTest: boolean): string[] {
  // Test messages do not count against a phone's day.
  const cap = isTest ? '' : `, of which ${aDay(MARKETING)}`;
  if (importance === 'LOW')
    return [
      `With importance LOW Honor takes it for marketing${cap}: say NORMAL in honor.category if the app was granted that.`,
      ...(type === 'image' ? ['The picture is not shown: Honor shows none with importance LOW.'] : []),
    ];
  if (isSaid || isTest) return [];
  return [
    `Neither the message nor the certificate says how important it is, so it goes as NORMAL. Without the right to that Honor takes it for marketing${cap}: say in the certificate what the app was granted.`,
  ];
}
