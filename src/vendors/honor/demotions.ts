import type { Message } from '#src/domain/message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { HonorCredentials } from './credentials.ts';

/** Daily limit for importance LOW, and for NORMAL without the permission for it. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
const TEST_MESSAGES_PER_DAY = 1_000;

export function honorDemotions(message: Message, credentials: HonorCredentials): string[] {
  const testDemotions = credentials.isTest
    ? [`It is a test message, of which an app has ${TEST_MESSAGES_PER_DAY} a day: use environment 1 for more.`]
    : [];
  if (message.type === 'cmd') return testDemotions;
  const { category } = androidOptions(message, 'honor');
  const isValidCategory = category === 'LOW' || category === 'NORMAL';
  const importance = isValidCategory ? category : credentials.importance;
  return [
    ...testDemotions,
    ...(category === undefined || isValidCategory
      ? []
      : [
          `Honor does not know the class ${category}, and it goes as ${importance}: say LOW or NORMAL in honor.category.`,
        ]),
    ...importanceDemotions(
      importance,
      isValidCategory || credentials.hasExplicitImportance,
      message,
      credentials.isTest,
    ),
  ];
}

function importanceDemotions(importance: string, isExplicit: boolean, { type }: Message, isTest: boolean): string[] {
  // Test messages do not count towards the daily limit of a device.
  const cap = isTest ? '' : `, of which ${dailyCapText(MARKETING_DAILY_CAP)}`;
  if (importance === 'LOW')
    return [
      `With importance LOW Honor takes it for marketing${cap}: say NORMAL in honor.category if the app was granted that.`,
      ...(type === 'image' ? ['The picture is not shown: Honor shows none with importance LOW.'] : []),
    ];
  if (isExplicit || isTest) return [];
  return [
    `Neither the message nor the certificate says how important it is, so it goes as NORMAL. Without the right to that Honor takes it for marketing${cap}: say in the certificate what the app was granted.`,
  ];
}
