import type { Message } from '#src/domain/message.ts';
import { androidOptions } from '../translate/android-options.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { HonorCredentials } from './credentials.ts';

/** Daily limit for importance LOW, and for NORMAL without the permission for it. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
const TEST_MESSAGES_PER_DAY = 1_000;

export function honorDemotions(message: Message, credentials: HonorCredentials): string[] {
  const testDemotions = credentials.isTest
    ? [
        `This is a test message. The limit for test messages of an app is ${TEST_MESSAGES_PER_DAY} a day: use environment 1 for more.`,
      ]
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
          `Honor does not support the class ${category}, so the message is sent as ${importance}. Set honor.category to LOW or NORMAL.`,
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
  const cap = isTest ? '' : `. Daily limit: ${dailyCapText(MARKETING_DAILY_CAP)}`;
  if (importance === 'LOW')
    return [
      `With importance LOW Honor treats the message as marketing${cap}. Set honor.category to NORMAL if the app has the permission for it.`,
      ...(type === 'image' ? ['The image is not shown: Honor shows no images with importance LOW.'] : []),
    ];
  if (isExplicit || isTest) return [];
  return [
    `Neither the message nor the credentials set an importance, so the message is sent as NORMAL. Without the permission for NORMAL, Honor has treated messages as marketing since 2024-12-31${cap}. Set importance in the credentials to the one granted to the app.`,
  ];
}
