import type { Message } from '#src/domain/message.ts';
import { dailyCapText } from '../translate/daily-cap.ts';
import type { XiaomiCredentials } from './credentials.ts';
import { xiaomiClass } from './payload.ts';

/** Daily limit for the public class. */
const PUBLIC_DAILY_CAP = { usual: 5, news: 8 };
/** Daily limit for messages without a channel. */
const NO_CHANNEL_MESSAGES_PER_DAY = 1;

export function xiaomiDemotions(message: Message, credentials: XiaomiCredentials): string[] {
  if (message.type === 'cmd') return [];
  const { channelId, templateId } = xiaomiClass(message, credentials);
  if (channelId === undefined)
    return [
      `Neither the message nor the credentials name a channel. Without a channel, a device receives ${NO_CHANNEL_MESSAGES_PER_DAY} message per day from an app, and none from newer apps. Name a channel of Xiaomi's console in xiaomi.channel_id or in the credentials.`,
    ];
  if (templateId !== undefined) return templateProblems(message, templateId, credentials);
  if (credentials.privateChannelIds.includes(channelId))
    return [
      `The channel ${channelId} is private, and the message has no template. Xiaomi requires a template for private messages: name one in xiaomi.template_id or in the credentials.`,
    ];
  return [
    `Without a template the message has Xiaomi's public class. Daily limit: ${dailyCapText(PUBLIC_DAILY_CAP)}. For a private message, set a private channel in xiaomi.channel_id and its template in xiaomi.template_id, or both in the credentials.`,
  ];
}

/** Xiaomi rejects a message that does not set exactly the variables of its template. */
function templateProblems(
  { xiaomi }: Message,
  templateId: string,
  { templateId: defaultTemplateId, templateVariables }: XiaomiCredentials,
): string[] {
  if (templateId !== defaultTemplateId || !templateVariables || xiaomi?.template_param === undefined) return [];
  const names = Object.keys(JSON.parse(xiaomi.template_param) as object);
  const expected = Object.keys(templateVariables);
  if (names.length === expected.length && names.every((name) => expected.includes(name))) return [];
  return [
    `The values in xiaomi.template_param are for ${names.join(', ')}, but the template has the variables ${expected.join(', ')}. Xiaomi rejects the message.`,
  ];
}
