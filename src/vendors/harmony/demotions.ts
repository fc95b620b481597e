import type { Message } from '#src/domain/message.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { HarmonyCredentials } from './credentials.ts';
import { categoryOf } from './payload.ts';

/** Daily limit for marketing. Messages that were accepted but not displayed count too. */
const MARKETING_DAILY_CAP = { usual: 2, news: 5 };
const TEST_MESSAGES_PER_DAY = 1_000;

export function harmonyDemotions(message: Message, credentials: HarmonyCredentials): string[] {
  const testDemotions = credentials.isTest
    ? [
        `This is a test message. The limit for test messages of a project is ${TEST_MESSAGES_PER_DAY} a day: use environment 1 for more.`,
      ]
    : [];
  if (message.type === 'cmd')
    return [
      'HarmonyOS holds a data-only message until the app runs. Send a notification if the user must see it immediately.',
      ...testDemotions,
    ];
  // Test messages do not count as marketing.
  return credentials.isTest ? testDemotions : classDemotion(message, credentials);
}

function classDemotion(message: Message, credentials: HarmonyCredentials): string[] {
  if (categoryOf(message, credentials) !== 'MARKETING') return [];
  const cap = `Daily limit: ${dailyCapText(MARKETING_DAILY_CAP)}, without a sound`;
  if (message.harmony?.category === undefined && credentials.category === undefined)
    return [
      `Neither the message nor the credentials name a class, so the message is sent as MARKETING. ${cap}. To avoid this, name one of the classes granted to the app in harmony.category or in the credentials.`,
    ];
  return [
    `The class of the message is MARKETING. ${cap}. If the message is not marketing, name another class in harmony.category.`,
  ];
}
